/** Loaded before the program: a bug that nobody catches, at SIGUSR2 as an error or a rejection. */
process.on('SIGUSR2', () => {
  if (process.env['BUG'] === 'rejection') void Promise.reject(new Error('a bug of the checks'));
  else
    setImmediate(() => {
      throw new Error('a bug of the checks');
    });
});
