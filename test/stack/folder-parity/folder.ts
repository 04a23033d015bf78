/** Templates, as files and as locals that are called as the files are without their ending. */
export const templates: Readonly<Record<string, string>> = {
  'plain.tftpl': 'hello ${one} and ${two}\n',
  'loop.tftpl': '%{ for name in names ~}\n- ${name}\n%{ endfor ~}\nend',
  'choice.tftpl': '%{ if one == 1 }one%{ else }${two}%{ endif }',
  'value.tftpl': '${one}',
  'marked.tftpl': '\ufeff$${one} %%{ two }',
  'object.tftpl': '${jsonencode({ one = one, names = names })}',
  'function.tftpl': '${upper(try(one.a, two))}',
  'broken.tftpl': '${one',
  'constant.tftpl': 'nothing\r\nelse\n',
}

/** What lies in the folder of the stack. Patterns are looked for under `tree`: Terraform puts files beside it. */
export const folderFiles: Readonly<Record<string, string>> = {
  ...templates,
  'note.txt': 'grüße\n',
  'decomposed.txt': 'e\u0301\r\n',
  'empty.txt': '',
  'tree/a.json': '{"a": 1}',
  'tree/b.json': '{"b": 1}',
  'tree/ab.txt': 'ab',
  'tree/a*b.txt': 'star',
  'tree/é.txt': 'accent',
  'tree/.hidden.json': '{}',
  'tree/er/a.json': '{}',
  'tree/er/c.json': '{}',
  'tree/er/a/b.txt': 'deep',
  'tree/.dark/b.json': '{}',
}

/** The local that has a template as a text. */
export function localOf(template: string): string {
  return template.replace('.tftpl', '')
}
