export type Theme = 'system' | 'light' | 'dark'

const NAME = 'theme'

export function readTheme(): Theme {
  const kept = localStorage.getItem(NAME)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Kept on this device, for all pages of the app. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(NAME)
  else localStorage.setItem(NAME, theme)
  applyTheme()
}

export function applyTheme(): void {
  const theme = readTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
