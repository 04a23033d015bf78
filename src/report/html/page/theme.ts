import { byId } from './elements.ts'

const themes = ['system', 'light', 'dark'] as const

/** A button that goes through the themes; the first is what the system of the reader has. */
export function listenToTheme(): void {
  const button = byId('theme', HTMLButtonElement)
  let chosen = 0
  button?.addEventListener('click', () => {
    chosen = (chosen + 1) % themes.length
    const theme = themes[chosen] ?? 'system'
    document.documentElement.dataset.theme = theme
    button.textContent = `Theme: ${theme}`
  })
}
