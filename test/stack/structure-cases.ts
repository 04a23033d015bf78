/** A flag's body as JSON; `more` stands in it too. */
const body = (key: string, more = '') => `{"key": "${key}", "active": false${more === '' ? '' : `, ${more}`}}`
const flags = (inside: string) => `{"resource": {"vexil_feature_flag": ${inside}}}`
const lifecycle = (rules: string) => flags(`{"f": ${body('f', `"lifecycle": ${rules}`)}}`)
const condition = '"precondition": {"condition": "${var.v > 0}", "error_message": "A."}'
const beside = (more: string) =>
  `{"resource": {"vexil_feature_flag": {"f": ${body('f')}, "g": ${body('g')}}}, ${more}}`

const several = (more: string) =>
  `{"resource": {"vexil_feature_flag": {"m": {"for_each": {"1": "a", "b c": "b"}, "key": "\${each.value}", "active": false}, "n": {"count": 2, "key": "n\${count.index}", "active": false}}}, ${more}}`
const ignored = (text: string) => lifecycle(`{"ignore_changes": [${JSON.stringify(text)}]}`)
const needing = (text: string) =>
  flags(`{"f": ${body('f')}, "g": ${body('g', `"depends_on": [${JSON.stringify(text)}]`)}}`)
const imported = (to: string, id: string) => `"import": [{"to": ${JSON.stringify(to)}, "id": ${id}}]`
const flag = (name: string) => `vexil_feature_flag.${name}`
const moves = (...pairs: readonly (readonly [from: string, to: string])[]) =>
  `"moved": ${JSON.stringify(pairs.map(([from, to]) => ({ from, to })))}`
const removal = (from: string) => `"removed": {"from": "${from}", "lifecycle": {"destroy": false}}`

/** The flags that the service has, so that they can be imported; their ids are 1, 2, 3 and so on. */
export const liveKeys: readonly string[] = ['f', 'g', 'a', 'b', 'n0', 'n1']

/** Those of the structures that OpenTofu takes and Terraform refuses; Vexil refuses them by name. */
export const takenByOpenTofu: readonly string[] = ['null for prevent_destroy']

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
  ['ignore_changes of an element of a set', ignored('tags[0]'), false],
  ['ignore_changes of a member of a set', ignored('tags.a'), false],
  ['ignore_changes of a member of a list', ignored('release["a"]'), false],
  ['ignore_changes of a member that is not there', ignored('release[0].nonsense'), false],
  ['ignore_changes of an element by a text', ignored('release["0"].properties'), true],
  ['ignore_changes in braces', ignored('${tags}'), false],
  ['ignore_changes with spaces', ignored(' tags '), true],
  ['ignore_changes of all in braces', lifecycle('{"ignore_changes": "${all}"}'), false],
  ['ignore_changes of a number', lifecycle('{"ignore_changes": [1]}'), false],
  ['depends_on in braces', needing('${vexil_feature_flag.f}'), false],
  ['depends_on with spaces', needing(' vexil_feature_flag.f '), true],
  ['a provider in braces', flags(`{"f": ${body('f', '"provider": "${vexil}"')}}`), false],
  ['a provider with spaces', flags(`{"f": ${body('f', '"provider": " vexil "')}}`), true],
  ['a provider of null', flags(`{"f": ${body('f', '"provider": null')}}`), false],
  ['moves in a circle', beside(moves([flag('a'), flag('b')], [flag('b'), flag('a')])), false],
  [
    'moves in a circle of three',
    beside(moves([flag('a'), flag('b')], [flag('b'), flag('c')], [flag('c'), flag('a')])),
    false,
  ],
  ['moves of modules in a circle', beside(moves(['module.a', 'module.b'], ['module.b', 'module.a'])), false],
  ['a move twice', beside(moves([flag('a'), flag('f')], [flag('a'), flag('f')])), true],
  ['two moves to one place', beside(moves([flag('a'), flag('f')], [flag('b'), flag('f')])), false],
  ['two moves from one place', beside(moves([flag('a'), flag('f')], [flag('a'), flag('g')])), false],
  ['a move in braces', beside(moves(['${vexil_feature_flag.a}', flag('f')])), false],
  ['a move with spaces', beside(moves([' vexil_feature_flag.a ', flag('f')])), true],
  ['a move of an attribute', beside(moves([flag('a.key'), flag('f')])), false],
  ['a move of one of several', several(moves([flag('a[0]'), flag('n[0]')])), true],
  ['a move of what is declared by another text', several(moves([flag('m[ "1" ]'), flag('x')])), false],
  [
    'a move with a member that is not there',
    beside('"moved": {"from": "vexil_feature_flag.a", "to": "vexil_feature_flag.f", "x": 1}'),
    false,
  ],
  ['a removal in braces', beside(removal('${vexil_feature_flag.a}')), false],
  ['a removal of one of several', beside(removal(flag('a[0]'))), false],
  ['a removal of a data source', beside(removal('data.vexil_feature_flag.a')), false],
  ['a comment as a name', flags(`{"f": ${body('f')}, "//": "x"}`), false],
  ['a block as a comment and a name', flags(`{"f": ${body('f')}, "//": ${body('g')}}`), false],
  ['a comment as a type', `{"resource": {"vexil_feature_flag": {"f": ${body('f')}}, "//": "x"}}`, false],
  ['a comment as a variable', beside('"variable": {"//": "x"}'), false],
  ['a comment as an output', beside('"output": {"//": {"value": 1}}'), false],
  ['a comment as a provider', beside('"provider": {"//": {"x": 1}}'), false],
  ['a comment in locals', beside('"locals": {"//": "x", "a": 1}'), true],
  ['a comment in a lifecycle', lifecycle('{"//": "x", "prevent_destroy": true}'), true],
  ['no resources', '{"resource": {}}', false],
  ['an empty list of resources', '{"resource": []}', false],
  ['no resources of a type', flags('{}'), false],
  ['null resources of a type', flags('null'), false],
  ['no variables', beside('"variable": {}'), false],
  ['no checks', beside('"check": {}'), false],
  ['no locals', beside('"locals": {}'), true],
  ['a resource that is null', flags('{"f": null}'), true],
  ['an empty list of asserts', beside('"check": {"c": {"assert": []}}'), false],
  ['an import by a number', beside(imported(flag('f'), '1')), true],
  ['an import by an expression that is a number', beside(imported(flag('f'), '"${0 + 1}"')), true],
  ['an import by null', beside(imported(flag('f'), 'null')), false],
  ['an import in braces', beside(imported('${vexil_feature_flag.f}', '"1"')), false],
  ['an import with spaces', beside(imported(' vexil_feature_flag.f ', '"1"')), true],
  ['an import under a key with spaces around', several(imported(flag('m[ "b c" ]'), '"4"')), true],
  ['an import under a key with an escape', several(imported(flag(String.raw`m["b\u0020c"]`), '"4"')), true],
  ['an import under a number with a fraction', several(imported(flag('n[1.0]'), '"6"')), true],
  ['an import under a number behind a dot', several(imported(flag('n.1'), '"6"')), true],
  ['an import under a number in quotes', several(imported(flag('n["1"]'), '"6"')), false],
  ['an import under a text without quotes', several(imported(flag('m[1]'), '"3"')), false],
  [
    'an import with a member that is not there',
    beside(`"import": {"to": "${flag('f')}", "id": "1", "x": 1}`),
    false,
  ],
  [
    'two imports of one target, written apart',
    several(`"import": [{"to": "${flag('n[0]')}", "id": "5"}, {"to": "${flag('n[0.0]')}", "id": "5"}]`),
    false,
  ],
  [
    'two members that half characters make one',
    beside(String.raw`"locals": {"x": {"\ud800": 1, "\udc00": 2}}`),
    false,
  ],
]
