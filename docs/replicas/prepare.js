const { randomBytes } = require('node:crypto');
const { constants, copyFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const { BASE = '/', DATABASE_PASSWORD } = process.env;
const drawn = () => randomBytes(24).toString('base64url');
const SECRETS = { database: DATABASE_PASSWORD || drawn(), credentials: drawn() };

/** Leaves alone what is there: passwords that are in use, and flows that were deployed. */
function once(make) {
  try {
    make();
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

for (const [name, text] of Object.entries(SECRETS))
  once(() => writeFileSync(join(BASE, 'secrets', name), text, { flag: 'wx' }));
for (const replica of ['node-red-1', 'node-red-2'])
  for (const name of ['flows.json', 'flows_cred.json'])
    once(() => copyFileSync(join(__dirname, name), join(BASE, replica, name), constants.COPYFILE_EXCL));
