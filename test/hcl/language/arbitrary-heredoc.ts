import fc from 'fast-check'

const space = fc.constantFrom('', ' ', '  ', '    ', '\t', '\u00a0 ')
const marker = fc.constantFrom('', '~')
const lineEnd = fc.constantFrom('\n', '\n', ' \n', ' x\n', '')

const filledIn = fc.constantFrom(
  '${1 + 1}',
  '${~ "x" ~}',
  '${"y" ~}',
  '${~ "z"}',
  '${upper(\n      "q")}',
  '${[\n  1,\n][0]}',
  '${"a ${1} %{ if true ~} b%{ endif }"}',
  '${<<IN\n    in\nIN\n}',
  '$${n}',
  '%%{n}',
  '$-',
)
const text = fc.oneof(fc.constantFrom('a', 'b ', ' c'), filledIn)
const textLine = fc.tuple(space, fc.array(text, { minLength: 1, maxLength: 3 }), fc.constantFrom('\n', ' \n'))
const plainLine = fc.oneof(
  textLine.map(([before, texts, end]) => `${before}${texts.join('')}${end}`),
  space.map(each => `${each}\n`),
)

const { lines } = fc.letrec<{ lines: string; line: string }>(tie => ({
  lines: fc.array(tie('line'), { maxLength: 4, depthIdentifier: 'lines' }).map(each => each.join('')),
  line: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'lines' },
    { arbitrary: plainLine, weight: 3 },
    { arbitrary: directive('for i in [1, 2]', ['endfor'], tie('lines')), weight: 1 },
    { arbitrary: directive('if true', ['else', 'endif'], tie('lines')), weight: 1 },
    { arbitrary: directive('if false', ['else', 'endif'], tie('lines')), weight: 1 },
  ),
}))

/** `%{ for ... }`, what stands in it, and what divides and ends it, each with any markers and line end. */
function directive(opening: string, others: readonly string[], body: fc.Arbitrary<string>) {
  const sections = [opening, ...others].map((word, index) =>
    fc
      .tuple(space, marker, marker, lineEnd, index < others.length ? body : fc.constant(''))
      .map(([before, left, right, end, inside]) => `${before}%{${left} ${word} ${right}}${end}${inside}`),
  )
  return fc.tuple(...sections).map(each => each.join(''))
}

/** A text of several lines from which Terraform takes the indentation. */
export const arbitraryHeredoc = fc
  .tuple(lines, space)
  .map(([body, last]) => `(<<-END\n${body}${body.endsWith('\n') || body === '' ? '' : '\n'}${last}END\n)`)
