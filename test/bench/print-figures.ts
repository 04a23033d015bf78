/** One line of a bench: what was measured, and its figures. */
export function printFigures(title: string, figures: Readonly<Record<string, number>>): void {
  const cells = Object.entries(figures).map(
    ([name, value]) => `${name} ${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 0)}`,
  )
  console.log(`${title}: ${cells.join(', ')}`)
}
