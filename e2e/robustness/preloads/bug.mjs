/** Preload of the program: raises an uncaught error or an unhandled rejection at SIGUSR2. */
process.on('SIGUSR2', () => {
  if (process.env['BUG'] === 'rejection') void Promise.reject(new Error('a bug of the checks'));
  else
    setImmediate(() => {
      throw new Error('a bug of the checks');
    });
});
