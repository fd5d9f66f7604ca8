export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** In the language itself, so that everybody finds their own. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** What was chosen on this device; else the first language of the browser that there is; else English. */
export function preferredLanguage(chosen: string | null, ofBrowser: readonly string[]): Language {
  const wished = [...(chosen === null ? [] : [chosen]), ...ofBrowser].map((tag) => tag.toLowerCase().split('-')[0])
  return (
    wished.map((tag) => languages.find((language) => language === tag)).find((found) => found !== undefined) ?? 'en'
  )
}

const NAME = 'language'

export function readLanguage(): Language {
  return preferredLanguage(localStorage.getItem(NAME), navigator.languages)
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(NAME, language)
}
