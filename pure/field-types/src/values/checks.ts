import { accept, decline, type Result } from '@sealpost/kernel'
import type { ValueReason } from './value-reasons.ts'

export const checkNames = ['url', 'card', 'number', 'integer', 'decimal', 'float', 'pdf'] as const
export type CheckName = (typeof checkNames)[number]

/**
 * Checks a text by a named check and returns it normalised, which is the text that the regexes see. An unknown check of
 * a newer platform accepts everything.
 */
export function applyCheck(check: string | null, text: string): Result<string, ValueReason> {
  const known = checkNames.find((name) => name === check)
  return known === undefined ? accept(text) : checks[known](text)
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
const INTEGER = /^-?[0-9]+$/
const DECIMAL = /^-?[0-9]{1,8}(?:\.[0-9]{1,2})?$/
const FLOAT = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const CARD = /^[0-9]{12,19}$/
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

const checks = {
  url: checkUrl,
  card: checkCard,
  number: (text) => {
    const trimmed = text.trim()
    return isNumber(trimmed) ? accept(trimmed) : decline('not_a_number')
  },
  integer: trimmedShape(INTEGER, 'not_an_integer'),
  decimal: trimmedShape(DECIMAL, 'not_a_decimal'),
  float: trimmedShape(FLOAT, 'not_a_float'),
  // A check of files: applied to their envelope, where MIME type and bytes are available.
  pdf: accept,
} as const satisfies Record<CheckName, (text: string) => Result<string, ValueReason>>

/** Decimal notation with ASCII digits, finite: no hex, no words. */
function isNumber(text: string): boolean {
  return NUMBER.test(text) && Number.isFinite(Number(text))
}

function trimmedShape(shape: RegExp, reason: ValueReason) {
  return (text: string): Result<string, ValueReason> => {
    const trimmed = text.trim()
    return shape.test(trimmed) ? accept(trimmed) : decline(reason)
  }
}

/** `localhost:8080` is refused: the part before its colon reads as a scheme. */
function checkUrl(text: string): Result<string, ValueReason> {
  const [scheme] = SCHEME.exec(text) ?? []
  if (scheme !== undefined && !/^https?:$/i.test(scheme)) return decline('url_scheme_refused')
  const url = scheme === undefined ? `https://${text}` : text
  return isUrl(url) ? accept(url) : decline('not_a_url')
}

/**
 * The language of `^https?://[^\s/$.?#][^\s]*\.[^\s]{2,}$`, implemented by hand, because that regex takes quadratic
 * time on a text with many dots and a space at its end.
 */
function isUrl(text: string): boolean {
  const [start] = /^https?:\/\//i.exec(text) ?? []
  if (start === undefined || /\s/.test(text)) return false
  const rest = text.slice(start.length)
  const dot = rest.indexOf('.', 1)
  return /^[^/$.?#]/.test(rest) && dot > 0 && rest.length - dot > 2
}

function checkCard(text: string): Result<string, ValueReason> {
  const digits = text.replaceAll(/[ -]/g, '')
  return CARD.test(digits) && passesLuhn(digits) ? accept(digits) : decline('not_a_card')
}

/** Counted from the right, every second digit doubles; the digit sum must end in 0. */
function passesLuhn(digits: string): boolean {
  const parity = digits.length % 2
  const sum = Array.from(digits, Number).reduce((total, digit, index) => {
    const weighted = index % 2 === parity ? digit * 2 : digit
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return sum % 10 === 0
}
