import { english } from './english.ts'
import type { MailTemplate, MailTexts, MailValues } from './templates.ts'

export type { MailTemplate, MailValues } from './templates.ts'

/** By language tag. A regional form falls back to its language, any other tag to English. */
const LANGUAGES: ReadonlyMap<string, MailTexts> = new Map([['en', english]])

export function textsIn(language: string): MailTexts {
  const [primary = ''] = language.toLowerCase().split('-')
  return LANGUAGES.get(language.toLowerCase()) ?? LANGUAGES.get(primary) ?? english
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
}

export function renderMail<Template extends MailTemplate>(
  template: Template,
  values: MailValues[Template],
  language: string,
): RenderedMail {
  const { subject, text } = textsIn(language)[template](values)
  return { subject, text: `${text.join('\n\n')}\n` }
}
