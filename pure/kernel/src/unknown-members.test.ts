import { expect, test } from 'vitest'
import { describeUnknownMember, findUnknownMembers, type MemberTree } from './unknown-members.ts'

const tree: MemberTree = {
  name: null,
  events: null,
  id: false,
  rows: { slug: null, plugin: null, one_time: null },
}
const told = (value: unknown, most = 5) => findUnknownMembers(tree, value, most).map(describeUnknownMember)

test('an unknown member is named with the one that was probably meant', () => {
  expect(told({ name: 'x', evnts: [] })).toEqual(['unknown member "evnts", did you mean "events"?'])
  expect(told({ colour: 1 })).toEqual(['unknown member "colour"'])
})

test('members of lists and objects below are found with their place', () => {
  expect(told({ rows: [{ slug: 'a' }, { oneTime: true }] })).toEqual([
    'unknown member "rows[1].oneTime", did you mean "one_time"?',
  ])
})

test('known, ignored, free and absent members are silent', () => {
  expect(told({ id: 7, events: { any: 1 }, rows: [{ plugin: { any: 1 } }], gone: undefined })).toEqual([])
  expect(told('text')).toEqual([])
})

test('an ignored member is never suggested, and names of Object.prototype are unknown', () => {
  expect(told({ idd: 1, constructor: 1, toString: 1 })).toEqual([
    'unknown member "idd"',
    'unknown member "constructor"',
    'unknown member "toString"',
  ])
})

test('names are visible ASCII and short, and their number is limited', () => {
  expect(told({ 'a"b;\n\u00fc': 1 })).toEqual([String.raw`unknown member "a\u0022b\u003b\u000a\u00fc"`])
  expect(told({ ['x'.repeat(1000)]: 1 })).toEqual([`unknown member "${'x'.repeat(40)}..."`])
  expect(told(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x${at}`, 1])))).toHaveLength(5)
})
