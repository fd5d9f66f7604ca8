import type { Language } from './language.ts'

/** The forms of a phrase: `other` where the language has no form of its own for the number. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string }

/** The form of a language for a number, by its own rules; `#` is the number as the language writes it. */
export function pluralOf(language: Language): (count: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language)
  const digits = new Intl.NumberFormat(language === 'en' ? 'en-GB' : language)
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replaceAll('#', digits.format(count))
}
