const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const secret = (name) => readFileSync(join(process.env.SECRETS ?? '/secrets', name), 'utf8').trim();

// What the address of the journal node says: ${JOURNAL}. In an address a password is URL-encoded.
process.env.JOURNAL ??= `postgresql://payments:${encodeURIComponent(secret('database'))}@database:5432/payments`;

module.exports = {
  flowFile: 'flows.json',
  // The same for both, so that either can read the credentials of the other.
  credentialSecret: secret('credentials'),
  uiPort: 1880,
};
