/** Loaded before the flow library's tool: replaces its catalogue of all packages by an empty one, and nothing else. */
const { createRequire } = require('node:module');
const { join } = require('node:path');

const CATALOGUE = 'https://catalogue.nodered.org/catalogue.json';
const axios = createRequire(join(__dirname, '../../test/scorecard/package.json'))('axios');
const { get } = axios;

axios.get = async (url, ...options) => (url === CATALOGUE ? { data: { modules: [] } } : get(url, ...options));
