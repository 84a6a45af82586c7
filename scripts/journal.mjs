import { run } from './lib/run.mjs';

/** `npm run journal -- check|export|compact <folder>`: see `src/journal-tool/cli.ts`. */
await run(process.execPath, ['--import', 'tsx', 'src/journal-tool/cli.ts', ...process.argv.slice(2)]);
