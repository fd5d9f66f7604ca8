import type { Language } from '@sealpost/ui'
import { formatDate } from '@sealpost/ui/formats'
import type { Words } from '../../words/en/index.ts'
import type { TypeView } from '../../worker/commands/data.ts'

/** A value as one reads it: an address in one line, a country by its name. */
export function displayValue(words: Words, language: Language, type: TypeView, text: string): string {
  if (type.isFile) return type.input === 'pages' ? words.data.document : words.data.file
  if (type.input === 'composite') return displayParts(language, type.type, partsOf(text))
  if (type.input === 'multilist')
    return choicesOf(text)
      .map((choice) => optionName(words, choice))
      .join(', ')
  if (type.input === 'date') return formatDate(language, text)
  if (type.input === 'country' || type.input === 'nationality') return countryName(language, text)
  return type.input === 'list' ? optionName(words, text) : text
}

export function partsOf(text: string): Readonly<Record<string, string>> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed !== 'object' || parsed === null) return {}
    return Object.fromEntries(
      Object.entries(parsed).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}

export function choicesOf(text: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.filter((choice) => typeof choice === 'string') : []
  } catch {
    return []
  }
}

export function countryName(language: Language, code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  return new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code
}

export function optionName({ data }: Words, option: string): string {
  return data.options[option] ?? option
}

/** The number of a card is shown by its last digits only. */
function displayParts(language: Language, type: string, parts: Readonly<Record<string, string>>): string {
  if (type === 'address') {
    const street = joined(' ', parts['street'], parts['building_number'], parts['affix'])
    const town = joined(' ', parts['postal_code'], parts['city'], parts['state'])
    return joined(', ', street, town, countryName(language, parts['country'] ?? ''))
  }
  if (type === 'creditcard') return joined(' ', '••••', (parts['number'] ?? '').slice(-4), parts['name'])
  if (type === 'bank') return joined(', ', parts['account_number'], parts['account_holder'])
  return joined(', ', ...Object.values(parts))
}

function joined(between: string, ...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text.trim() !== '').join(between)
}
