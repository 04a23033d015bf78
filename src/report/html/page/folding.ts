import { all, byId, shownItems } from './elements.ts'
import type { Kept } from './kept.ts'

/** Folds what stands before and after, all of it for paper. */
export function listenToFolds(kept: Kept): void {
  // It does not bubble.
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (target instanceof HTMLDetailsElement && target.open) kept.show(target)
    },
    true,
  )
  const button = byId('unfold', HTMLButtonElement)
  button?.addEventListener('click', () => {
    const folded = shownItems()
      .flatMap(item => all('details.both', item))
      .filter(each => each instanceof HTMLDetailsElement)
    const isOpening = folded.some(each => !each.open)
    for (const each of folded) each.open = isOpening
    button.textContent = isOpening ? 'Fold all' : 'Unfold all'
  })
  let closed: readonly HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    kept.showAll(document)
    closed = all('details')
      .filter(each => each instanceof HTMLDetailsElement)
      .filter(each => !each.open)
    for (const each of closed) each.open = true
  })
  addEventListener('afterprint', () => {
    for (const each of closed) each.open = false
  })
}
