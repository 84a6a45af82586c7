/** Renders a node's form (`src/nodes/*.form.ts`) to the html that the editor loads. */

const STYLE = `<style>
.payment-group > summary { cursor: pointer; margin: 12px 0 8px; font-weight: 500 }
.form-row.payment-row > label { width: 110px; vertical-align: middle; overflow-wrap: break-word }
.payment-row > .red-ui-typedInput-container { width: 70% !important }
.payment-hint { margin-left: 115px; font-size: 0.85em; opacity: 0.75; max-width: 500px }
.payment-gap { font-weight: 500; opacity: 1 }
</style>`;

/**
 * @param behaviour the bundled `src/nodes/editor/form-dialog.ts` or a node's own editor file, which defines
 * `paymentForms`
 */
export function renderForm(form, behaviour) {
  const isConfig = form.category === 'config';
  const prefix = isConfig ? 'node-config-input' : 'node-input';
  return `${STYLE}
<script type="text/html" data-template-name="${form.type}">
${renderName(prefix)}${form.extraOutput === undefined ? '' : '\n<input type="hidden" id="node-input-outputs">'}
${form.groups.map((group) => renderGroup(group, prefix)).join('\n')}
</script>
<script type="text/javascript">
(function () {
${behaviour}
var form = paymentForms.createForm(${JSON.stringify(form.groups)}, '${prefix}', ${JSON.stringify(form.needs ?? [])}, ${JSON.stringify(form.calledBy)});
RED.nodes.registerType('${form.type}', ${definition(form, isConfig)});
})();
</script>
`;
}

function renderName(prefix) {
  return `<div class="form-row payment-row">
<label for="${prefix}-name"><i class="fa fa-tag"></i> <span data-i18n="node-red:common.label.name"></span></label>
<input type="text" id="${prefix}-name" data-i18n="[placeholder]node-red:common.label.name">
</div>`;
}

function renderGroup({ name, open, fields }, prefix) {
  const rows = fields.map((field) => renderField(field, prefix)).join('\n');
  if (open) return rows;
  return `<details id="payment-group-${name}" class="payment-group">
<summary data-i18n="group.${name}"></summary>
${rows}
</details>`;
}

function renderField(field, prefix) {
  const id = `${prefix}-${field.name}`;
  return `<div class="form-row payment-row">
<label for="${id}" data-i18n="label.${field.name}"></label>
${control(field, id)}
<div class="payment-hint" id="${id}-hint" data-i18n="hint.${field.name}"></div>
</div>`;
}

function control(field, id) {
  const hinted = `aria-describedby="${id}-hint"`;
  switch (field.kind) {
    case 'typed':
      return `<input type="text" id="${id}"><input type="hidden" id="${id}Type">`;
    case 'password':
      return `<input type="password" id="${id}" autocomplete="off" ${hinted}>`;
    case 'checkbox':
      return `<input type="checkbox" id="${id}" style="width: auto" ${hinted}>`;
    default:
      // A text field for numbers too, because `${VAR}` must be possible.
      return `<input type="text" id="${id}" ${hinted}>`;
  }
}

/** An object literal without spread, and the type as a literal: the flow library's tools parse it. */
function definition(form, isConfig) {
  const fields = form.groups.flatMap((group) => group.fields);
  const credentials = fields
    .filter(({ kind }) => kind === 'password')
    .map(({ name }) => `${name}: { type: 'password' }`);
  const label = form.labelFrom === undefined ? 'form.called(this) || ' : `this.${form.labelFrom} || `;
  const members = [
    `category: '${form.category}'`,
    `defaults: { ${["name: { value: '' }", ...fields.flatMap(defaultsOf), ...countOf(form)].join(',\n    ')} }`,
    ...(credentials.length === 0 ? [] : [`credentials: { ${credentials.join(', ')} }`]),
    ...(isConfig ? [] : look(form)),
    `label: function () { return this.name || ${label}this._('title'); }`,
    'oneditprepare: function () { form.prepare(this); }',
    form.extraOutput === undefined
      ? 'oneditsave: function () { form.save(); }'
      : `oneditsave: function () { form.save(); form.count('${form.extraOutput}', ${form.outputs.length}); }`,
  ];
  return `{\n  ${members.join(',\n  ')}\n}`;
}

/** The appearance on the canvas, which a config node does not have. */
function look({ color, icon, inputs, outputs, extraOutput }) {
  const names = extraOutput === undefined ? outputs : [...outputs, extraOutput];
  return [
    `color: '${color}'`,
    `icon: '${icon}'`,
    `inputs: ${inputs}`,
    `outputs: ${outputs.length}`,
    `outputLabels: function (index) { return this._('output.' + ${JSON.stringify(names)}[index]); }`,
    "paletteLabel: function () { return this._('title'); }",
    "labelStyle: function () { return this.name ? 'node_label_italic' : ''; }",
  ];
}

/** The editor counts the outputs of each node of a type whose count can change. */
function countOf({ outputs, extraOutput }) {
  return extraOutput === undefined ? [] : [`outputs: { value: ${outputs.length} }`];
}

function defaultsOf(field) {
  const { name } = field;
  const validate = `validate: form.validator('${name}')`;
  switch (field.kind) {
    case 'config':
      return [`${name}: { value: '', type: '${field.type}', required: ${field.required === true} }`];
    case 'typed':
      return [
        `${name}: { value: ${JSON.stringify(field.default.value)}, ${validate} }`,
        `${name}Type: { value: '${field.default.type}' }`,
      ];
    case 'password':
      return [];
    case 'select':
    case 'checkbox':
      return [`${name}: { value: ${JSON.stringify(field.default)} }`];
    default:
      return [`${name}: { value: ${JSON.stringify(field.default)}, ${validate} }`];
  }
}
