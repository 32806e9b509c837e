/** Style sheets that a page brings along; the bundler turns them into files of their own. */
declare module '*.css';
