/** Renders a node's form (`src/nodes/*.form.ts`) to the html that the editor loads. */

/** @param behaviour the bundled `src/nodes/shared/editor.ts`, which defines `paymentForms` */
export function renderForm(form, behaviour) {
  const isConfig = form.category === 'config';
  const prefix = isConfig ? 'node-config-input' : 'node-input';
  return `<script type="text/html" data-template-name="${form.type}">
${row(prefix, 'name', 'fa fa-tag', '<input type="text" id="$id" data-i18n="[placeholder]label.name">')}
${form.groups.map((group) => renderGroup(group, prefix)).join('\n')}
</script>
<script type="text/javascript">
(function () {
${behaviour}
var form = paymentForms.createForm(${JSON.stringify(form.groups)}, '${prefix}');
RED.nodes.registerType('${form.type}', ${definition(form, isConfig)});
})();
</script>
`;
}

function renderGroup({ name, open, fields }, prefix) {
  const rows = fields.map((field) => renderField(field, prefix)).join('\n');
  if (open && name === 'main') return rows;
  return `<details id="payment-group-${name}" class="payment-group">
<summary style="cursor: pointer; margin: 12px 0 8px"><span data-i18n="group.${name}"></span></summary>
${rows}
</details>`;
}

function renderField(field, prefix) {
  const { name } = field;
  const hint = `data-i18n="[placeholder]placeholder.${name};[title]hint.${name}"`;
  switch (field.kind) {
    case 'config':
      return row(prefix, name, '', '<input type="text" id="$id">');
    case 'typed':
      return row(prefix, name, '', `<input type="text" id="$id" ${hint}><input type="hidden" id="$idType">`);
    case 'template':
    case 'text':
      return row(prefix, name, '', `<input type="text" id="$id" ${hint}>`);
    case 'number':
      return row(prefix, name, '', `<input type="number" id="$id" ${limits(field)} ${hint}>`);
    case 'password':
      return row(prefix, name, '', `<input type="password" id="$id" autocomplete="off" ${hint}>`);
    case 'checkbox':
      return row(prefix, name, '', '<input type="checkbox" id="$id" style="width: auto">');
    case 'select': {
      const options = field.options.map(
        (option) => `<option value="${option}" data-i18n="option.${name}.${option}"></option>`,
      );
      return row(prefix, name, '', `<select id="$id" style="width: 70%">${options.join('')}</select>`);
    }
  }
}

function row(prefix, name, icon, control) {
  const id = `${prefix}-${name}`;
  const picture = icon === '' ? '' : `<i class="${icon}"></i> `;
  const label = `<label for="${id}">${picture}<span data-i18n="label.${name}"></span></label>`;
  const hint =
    name === 'name'
      ? ''
      : `<div class="payment-hint" style="margin-left: 105px; font-size: 0.85em; opacity: 0.75" data-i18n="hint.${name}"></div>`;
  return `<div class="form-row">${label}\n${control.replaceAll('$id', id)}${hint}</div>`;
}

function limits({ min, max }) {
  return [min === undefined ? '' : `min="${min}"`, max === undefined ? '' : `max="${max}"`].join(' ').trim();
}

/** An object literal without spread, and the type a literal: the tools of the flow library parse it. */
function definition(form, isConfig) {
  const words = form.type.replace('payment-', '').replaceAll('-', ' ');
  const fields = form.groups.flatMap((group) => group.fields);
  const credentials = fields.filter(({ kind }) => kind === 'password');
  const defaults = fields.filter(({ kind }) => kind !== 'password').flatMap(defaultOf);
  const members = [
    `category: '${form.category}'`,
    ...(isConfig ? [] : [`color: '${form.color}'`, `icon: '${form.icon}'`]),
    ...(isConfig ? [] : [`inputs: ${form.inputs}`, `outputs: ${form.outputs.length}`]),
    `defaults: { name: { value: '' }, ${defaults.join(', ')} }`,
    ...(credentials.length === 0
      ? []
      : [`credentials: { ${credentials.map(({ name }) => `${name}: { type: 'password' }`).join(', ')} }`]),
    ...(isConfig ? [] : [`paletteLabel: '${words}'`]),
    ...(form.outputs.length === 0
      ? []
      : [`outputLabels: function (index) { return this._('output.' + ${JSON.stringify(form.outputs)}[index]); }`]),
    `label: function () { return this.name || ${form.labelFrom === undefined ? '' : `this.${form.labelFrom} || `}'${words}'; }`,
    "labelStyle: function () { return this.name ? 'node_label_italic' : ''; }",
    'oneditprepare: function () { form.prepare(this); }',
  ];
  return `{\n  ${members.join(',\n  ')}\n}`;
}

function defaultOf(field) {
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
    case 'select':
    case 'checkbox':
      return [`${name}: { value: ${JSON.stringify(field.default)} }`];
    default:
      return [`${name}: { value: ${JSON.stringify(field.default)}, ${validate} }`];
  }
}
