/**
 * Preloaded into a process, so that for it time passes CLOCK_SPEED times as fast since CLOCK_SINCE (epoch ms): the minutes
 * of a recovery in seconds. Every process that is started with the same two reads the same time, unless its clock is wrong:
 * ahead by CLOCK_AHEAD (ms), until it is put right after CLOCK_RIGHT_AFTER (ms of real time; never where absent).
 */
const speed = Number(process.env.CLOCK_SPEED);
const since = Number(process.env.CLOCK_SINCE);
const rightAfter = process.env.CLOCK_RIGHT_AFTER;
let ahead = Number(process.env.CLOCK_AHEAD ?? 0);
const { now } = Date;
const passed = performance.now.bind(performance);
const { setTimeout: later, setInterval: again } = globalThis;

/** The time that everybody agrees on. */
globalThis.rightTime = () => Math.floor(since + (now() - since) * speed);
Date.now = () => globalThis.rightTime() + ahead;
performance.now = () => passed() * speed;
globalThis.setTimeout = Object.assign((run, ms, ...args) => later(run, (ms ?? 0) / speed, ...args), later);
globalThis.setInterval = (run, ms, ...args) => again(run, (ms ?? 0) / speed, ...args);

if (rightAfter !== undefined) {
  later(() => {
    ahead = 0;
  }, Number(rightAfter)).unref();
}
