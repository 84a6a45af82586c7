/**
 * Loads what is heavy with its first use, so that a Node-RED that has nothing to pay yet starts without it. On a busy machine
 * Node.js now and then finds no names in a CommonJS module by `import()`, and then never does until it ends: `require` does not
 * know that state.
 */

export function loadCore(): typeof import('../../core/index.js') {
  return require('../../core/index.js');
}

export function loadSimulator(): typeof import('../../simulator/index.js') {
  return require('../../simulator/index.js');
}
