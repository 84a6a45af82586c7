/**
 * Preloaded into a process, so that for it time passes CLOCK_SPEED times as fast since CLOCK_SINCE (epoch ms): the minutes
 * of a recovery in seconds. Every process that is started with the same two reads the same time.
 */
const speed = Number(process.env.CLOCK_SPEED);
const since = Number(process.env.CLOCK_SINCE);
const { now } = Date;
const passed = performance.now.bind(performance);
const { setTimeout: later, setInterval: again } = globalThis;

Date.now = () => Math.floor(since + (now() - since) * speed);
performance.now = () => passed() * speed;
globalThis.setTimeout = Object.assign((run, ms, ...args) => later(run, (ms ?? 0) / speed, ...args), later);
globalThis.setInterval = (run, ms, ...args) => again(run, (ms ?? 0) / speed, ...args);
