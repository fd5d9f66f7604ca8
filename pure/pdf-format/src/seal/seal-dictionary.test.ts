import { describe, expect, test } from 'vitest'
import { bytesOf } from '../reader/characters.ts'
import {
  findSeal,
  MAX_LISTS,
  SEAL_PLACES_LENGTH,
  type SealPlaces,
  writeListSpans,
  writeSealPlaces,
} from './seal-dictionary.ts'

const HEAD = 'x'.repeat(100)
const LISTS = [
  { start: 50, length: 20 },
  { start: 70, length: 30 },
]
const spans = writeListSpans(LISTS)
const contentsStart = HEAD.length + spans.length + SEAL_PLACES_LENGTH
const places: SealPlaces = {
  signedLength: 40,
  recordStart: 40,
  recordLength: 10,
  contentsStart,
  contentsEnd: contentsStart + 4,
  end: contentsStart + 8,
}

const find = (change: Partial<SealPlaces> = {}, lists = spans, tail = '0000>>>\n') =>
  findSeal(bytesOf(`${HEAD}${lists}${writeSealPlaces({ ...places, ...change })}${tail}`))

test('the places of a seal are found where they were written', () => {
  expect(find()).toEqual({ ...places, lists: LISTS })
  expect(writeSealPlaces({ ...places, end: 2_000_000_000 })).toHaveLength(SEAL_PLACES_LENGTH)
})

test('the last of two seals counts', () => {
  const one = `${HEAD}${spans}${writeSealPlaces(places)}0000>>>\n`
  const second = bytesOf(one + one)
  expect(findSeal(second)).toBeNull()
})

describe('no seal', () => {
  test.each<[what: string, found: unknown]>([
    ['a record before the end of what was signed', find({ signedLength: 41 })],
    ['a record that reaches into the places', find({ recordStart: HEAD.length + spans.length - 9 })],
    ['contents at another place', find({ contentsStart: contentsStart + 1 })],
    ['contents that end before they start', find({ contentsEnd: contentsStart - 2, end: contentsStart + 8 })],
    ['contents without an end', find({}, spans, '00000>>\n')],
    ['no places', findSeal(bytesOf(HEAD))],
    ['places that are cut off', findSeal(bytesOf(`${HEAD}${writeSealPlaces(places).slice(0, -1)}`))],
    [
      'another first byte',
      findSeal(
        bytesOf(`${HEAD}${writeSealPlaces(places)}0000>>>`.replace('ByteRange[0000000000', 'ByteRange[0000000001')),
      ),
    ],
  ])('%s', (_, found) => {
    expect(found).toBeNull()
  })

  test('but one whose record ends right at the places, and one with empty contents', () => {
    expect(find({ recordStart: HEAD.length + spans.length - 10 })).toMatchObject({ recordLength: 10 })
    expect(find({ contentsEnd: contentsStart }, spans, '>>>\n')).toMatchObject({ contentsEnd: contentsStart })
  })
})

describe('lists', () => {
  const lists = (...written: readonly { start: number; length: number }[]) => {
    const text = writeListSpans(written)
    const start = HEAD.length + text.length + SEAL_PLACES_LENGTH
    return find({ contentsStart: start, contentsEnd: start + 4, end: start + 8 }, text)?.lists
  }

  test('up to eight are found', () => {
    const many = (count: number) => Array.from({ length: count }, () => ({ start: 50, length: 1 }))
    expect(lists()).toEqual([])
    expect(lists(...many(MAX_LISTS))).toHaveLength(8)
    expect(lists(...many(9))).toEqual([])
  })

  test('all of them are between the signed bytes and the places', () => {
    const good = { start: 40, length: 1 }
    expect(lists(good)).toEqual([good])
    expect(lists(good, { start: 39, length: 1 })).toEqual([])
    expect(lists(good, { start: 90, length: 1000 })).toEqual([])
  })
})
