/**
 * Preload of the program: the wall clock jumps by JUMP_S seconds at each SIGUSR2, forward and back.
 */
const seconds = Number(process.env['JUMP_S'] ?? 0);
const RealDate = Date;
let offset_ms = 0;

class JumpingDate extends RealDate {
  /** @param {...any} given */
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset_ms);
    else super(...given);
  }

  static now() {
    return RealDate.now() + offset_ms;
  }
}

globalThis.Date = /** @type {DateConstructor} */ (/** @type {any} */ (JumpingDate));
process.on('SIGUSR2', () => {
  offset_ms = offset_ms === 0 ? seconds * 1000 : 0;
  process.stderr.write(`date ${new Date().toISOString()}\n`);
});
