import { isProduct } from '../layers.ts'
import type { Place } from '../place.ts'
import { type Call, rule, type Visitors } from '../rule.ts'
import { isStore } from './sql-in-store.ts'

const CLOCK = 'the time is an argument: take a Clock, or the Instant itself'
const CHANCE = 'randomness is an argument: take a Random'
// `clock_timestamp()` is allowed: leases that several machines compare need one clock, the database's.
const TRANSACTION_CLOCK = /\b(now|statement_timestamp)\(\)|\bcurrent_(timestamp|date|time)\b/i
const SQL_CLOCK = 'SQL gets the time as a parameter: the database has its own clock, which tests cannot set'

export const timeAndChance = rule('time and randomness are arguments', (place, report): Visitors => {
  if (!isBound(place)) return {}
  const inSql = isStore(place.path) && !place.path.includes('migrations')
  const validateSql = (node: Parameters<typeof report>[0], text: string): void => {
    if (inSql && TRANSACTION_CLOCK.test(text)) report(node, SQL_CLOCK)
  }
  return {
    MemberExpression(node) {
      if (node.object.name === 'Date' && node.property.name === 'now') report(node, CLOCK)
      if (node.object.name === 'Math' && node.property.name === 'random') report(node, CHANCE)
    },
    NewExpression(node) {
      if (isDate(node) && node.arguments.length === 0) report(node, CLOCK)
    },
    CallExpression(node) {
      if (isDate(node)) report(node, CLOCK)
    },
    Literal(node) {
      if (typeof node.value === 'string') validateSql(node, node.value)
    },
    TemplateElement(node) {
      validateSql(node, node.value.raw)
    },
  }
})

/** All shipped code except io/process, which provides the real clock and randomness. */
function isBound(place: Place): boolean {
  if (place.layer === null || place.isTest) return false
  return isProduct(place.layer) && place.package.name !== '@sealpost/process'
}

function isDate(node: Call): boolean {
  return node.callee.type === 'Identifier' && node.callee.name === 'Date'
}
