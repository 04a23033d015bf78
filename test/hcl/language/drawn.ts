import { createHash } from 'node:crypto'

/**
 * A part of what was recorded, drawn evenly: in an order that a seed decides, a question stays while a word of
 * it (a function, an operator, a type) was asked fewer than `most` times with an answer of this sort.
 */
export function drawn<Answer>(
  answers: Readonly<Record<string, Answer>>,
  most: number,
  words = /[a-z_0-9:]+(?=\()|[!=<>]=|&&|\|\||[-+*/%<>?]|%\{ ?~? ?\w+|\bfor\b|\[\*\]|\.\*|\$\{/g,
): Readonly<Record<string, Answer>> {
  const place = (question: string) => createHash('sha256').update(`11 ${question}`).digest('hex')
  const inOrder = Object.keys(answers).sort((one, other) => (place(one) < place(other) ? -1 : 1))
  const asked = new Map<string, number>()
  const kept = new Set<string>()
  for (const question of inOrder) {
    const sort = answers[question] === 'refused' ? 'refused' : 'answered'
    const counted = new Set([...question.matchAll(words)].map(([word]) => `${sort} ${word}`))
    if (![...counted].some(word => (asked.get(word) ?? 0) < most)) continue
    for (const word of counted) asked.set(word, (asked.get(word) ?? 0) + 1)
    kept.add(question)
  }
  return Object.fromEntries(Object.entries(answers).filter(([question]) => kept.has(question)))
}
