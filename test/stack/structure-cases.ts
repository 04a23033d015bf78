/** A flag's body as JSON; `more` stands in it too. */
const body = (key: string, more = '') => `{"key": "${key}", "active": false${more === '' ? '' : `, ${more}`}}`
const flags = (inside: string) => `{"resource": {"vexil_feature_flag": ${inside}}}`
const lifecycle = (rules: string) => flags(`{"f": ${body('f', `"lifecycle": ${rules}`)}}`)
const condition = '"precondition": {"condition": "${var.v > 0}", "error_message": "A."}'
const beside = (more: string) =>
  `{"resource": {"vexil_feature_flag": {"f": ${body('f')}, "g": ${body('g')}}}, ${more}}`

/** Configurations in JSON that an engine takes or refuses for their structure alone. */
export const structures: readonly (readonly [title: string, json: string, isTaken: boolean])[] = [
  [
    'a resource twice in a list of types',
    `{"resource": [{"vexil_feature_flag": {"f": ${body('f')}}}, {"vexil_feature_flag": {"f": ${body('g')}}}]}`,
    false,
  ],
  ['a resource twice in a list', flags(`{"f": [${body('f')}, ${body('g')}]}`), false],
  ['a resource twice under one name', flags(`{"f": ${body('f')}, "f": ${body('g')}}`), false],
  ['the same resource twice under one name', flags(`{"f": ${body('f')}, "f": ${body('f')}}`), false],
  ['a local twice in a list', beside('"locals": [{"a": 1}, {"a": 2}]'), false],
  ['a local twice under one name', beside('"locals": {"a": 1, "a": 2}'), false],
  ['a variable twice', beside('"variable": {"v": [{"default": 1}, {"default": 2}]}'), false],
  ['an output twice', beside('"output": [{"o": {"value": 1}}, {"o": {"value": 2}}]'), false],
  [
    'a check twice',
    beside(
      '"check": [{"c": {"assert": {"condition": "${1 == 1}", "error_message": "A."}}}, {"c": {"assert": {"condition": "${1 == 1}", "error_message": "A."}}}]',
    ),
    false,
  ],
  [
    'a data source twice',
    beside('"data": [{"vexil_feature_flags": {"d": {}}}, {"vexil_feature_flags": {"d": {}}}]'),
    false,
  ],
  ['a provider twice', beside('"provider": {"vexil": [{"alias": "eu"}, {"alias": "eu"}]}'), false],
  ['an attribute twice', flags(`{"f": {"key": "f", "key": "g", "active": false}}`), false],
  ['the same attribute twice', flags(`{"f": {"key": "f", "key": "f", "active": false}}`), false],
  [
    'a member twice in a value',
    flags(`{"f": ${body('f', '"release": [{"properties": [{"key": "a", "key": "b", "values": ["x"]}]}]')}}`),
    false,
  ],
  [
    'a block member twice',
    `{"resource": {"vexil_feature_flag": {"f": ${body('f')}}}, "resource": {"vexil_feature_flag": {"g": ${body('g')}}}}`,
    true,
  ],
  [
    'a type twice',
    `{"resource": {"vexil_feature_flag": {"f": ${body('f')}}, "vexil_feature_flag": {"g": ${body('g')}}}}`,
    true,
  ],
  ['locals twice', beside('"locals": {"a": 1}, "locals": {"b": 2}'), true],
  ['a root array', `[${flags(`{"f": ${body('f')}}`)}, ${flags(`{"g": ${body('g')}}`)}]`, true],
  ['an empty root array', '[]', true],
  [
    'a precondition twice',
    `{"variable": {"v": {"default": 1}}, "resource": {"vexil_feature_flag": {"f": ${body('f', `"lifecycle": {${condition}, ${condition}}`)}}}}`,
    true,
  ],
  [
    'a comment twice',
    `{"//": "a", "//": "b", "resource": {"vexil_feature_flag": {"f": ${body('f', '"//": "x", "//": "y"')}}}}`,
    true,
  ],
  ['another text for prevent_destroy', lifecycle('{"prevent_destroy": "no"}'), false],
  ['a number for prevent_destroy', lifecycle('{"prevent_destroy": 1}'), false],
  ['null for prevent_destroy', lifecycle('{"prevent_destroy": null}'), false],
  ['ignore_changes of all', lifecycle('{"ignore_changes": "all"}'), true],
  ['ignore_changes of an attribute', lifecycle('{"ignore_changes": ["tags"]}'), true],
  ['ignore_changes of an element of a list', lifecycle('{"ignore_changes": ["release[0]"]}'), true],
  ['ignore_changes of one text', lifecycle('{"ignore_changes": "tags"}'), false],
  [
    'depends_on',
    flags(`{"f": ${body('f')}, "g": ${body('g', '"depends_on": ["vexil_feature_flag.f"]')}}`),
    true,
  ],
  ['a provider', flags(`{"f": ${body('f', '"provider": "vexil"')}}`), true],
  [
    'moves in a row',
    beside(
      '"moved": [{"from": "vexil_feature_flag.a", "to": "vexil_feature_flag.b"}, {"from": "vexil_feature_flag.b", "to": "vexil_feature_flag.f"}]',
    ),
    true,
  ],
  ['a resource that is an empty list', flags('{"f": []}'), true],
  ['a sensitive variable by text', beside('"variable": {"v": {"default": 1, "sensitive": "true"}}'), true],
  ['a condition without words', lifecycle('{"precondition": {"condition": "${1 == 1}"}}'), false],
  ['a text for prevent_destroy', lifecycle('{"prevent_destroy": "false"}'), true],
  ['the text true for prevent_destroy', lifecycle('{"prevent_destroy": "true"}'), true],
  ['a text for create_before_destroy', lifecycle('{"create_before_destroy": "false"}'), true],
  ['an expression for prevent_destroy', lifecycle('{"prevent_destroy": "${true}"}'), false],
  ['ignore_changes of all in a list', lifecycle('{"ignore_changes": ["all"]}'), false],
  [
    'two imports of one target',
    beside(
      '"import": [{"to": "vexil_feature_flag.f", "id": "1"}, {"to": "vexil_feature_flag.f", "id": "1"}]',
    ),
    false,
  ],
  [
    'a removal with a text',
    beside('"removed": {"from": "vexil_feature_flag.a", "lifecycle": {"destroy": "false"}}'),
    true,
  ],
  ['a check without assert', beside('"check": {"c": {}}'), false],
]
