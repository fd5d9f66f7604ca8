import { describe, expect, test } from 'vitest'
import { openDrawing, type ReadState } from './drawing.ts'

const { pages, draw, saysNothing } = await openDrawing()
const LANGUAGES = ['en', 'de'] as const
/** Around every page: what they read says nothing on the page itself. */
const FRAME = new Set(['sessionState', 'listCards', 'listWaitingPapers', 'listThreads'])
const whole = await drawAll()
/** Those of the frame are tested where they are the page's own, too. */
const cases = whole.flatMap(({ language, page, text, asked }) =>
  asked
    .filter((read) => !FRAME.has(read) || page === 'home' || (page === 'messages' && read === 'listThreads'))
    .filter((read) => read !== 'sessionState' && read !== 'listCards')
    .map((read) => ({ language, page, read, text })),
)

/** One after the other: they share the address of one browser. */
async function drawAll() {
  const drawn = []
  for (const language of LANGUAGES)
    for (const page of pages) drawn.push({ language, page, ...(await draw({ language, page, states: {} })) })
  return drawn
}

test('every page is drawn', () => {
  expect(whole.filter(({ text }) => !text.includes('\n')).map(({ page }) => page)).toEqual([])
  expect(new Set(cases.map(({ page }) => page)).size).toBeGreaterThan(20)
})

test('a drawn page leaves no browser behind in the process', () => {
  expect(['document', 'window', 'location'].filter((name) => name in globalThis)).toEqual([])
})

test.each(whole)('$language $page says nothing bad when all is well', ({ alerts, text }) => {
  expect(alerts).toBe(0)
  expect(text).not.toMatch(/undefined|null|NaN|\[object/u)
})

describe.each(cases)('$language $page, of whose reads $read', ({ language, page, read, text }) => {
  const drawIn = (state: ReadState) => draw({ language, page, states: { [read]: state } })

  test.each(['failed', 'offline'] as const)('is %s, says so once and claims nothing', async (state) => {
    const drawn = await drawIn(state)
    expect(drawn.alerts).toBe(1)
    expect(saysNothing(language, drawn.text)).toEqual([])
  })

  test('is on its way, claims nothing', async () => {
    const drawn = await drawIn('pending')
    expect(drawn.alerts).toBe(0)
    expect(saysNothing(language, drawn.text)).toEqual([])
  })

  test('could not be read again, keeps what was shown and says since when', async () => {
    const drawn = await drawIn('old')
    expect(drawn.alerts).toBe(0)
    expect(drawn.text).toContain(language === 'de' ? 'zuletzt gelesen: 9. März' : 'was read 9 March')
    const lost = text.split('\n').filter((line) => !drawn.text.includes(line))
    expect(lost).toEqual([])
  })

  test('is empty, is drawn', async () => {
    const drawn = await drawIn('empty')
    expect(drawn.alerts).toBe(0)
    expect(drawn.text).not.toMatch(/undefined|null|NaN|\[object/u)
  })
})

test.each(LANGUAGES)('when nothing can be read, each page says so once (%s)', async (language) => {
  for (const { page, asked } of whole.filter((each) => each.language === language)) {
    const own = asked.filter((read) => cases.some((one) => one.page === page && one.read === read))
    const states = Object.fromEntries(own.map((read) => [read, 'offline'] as const))
    const drawn = await draw({ language, page, states })
    expect([page, drawn.alerts]).toEqual([page, own.length === 0 ? 0 : 1])
  }
})

test.each([
  ['en', 'could not be counted'],
  ['de', 'nicht zählbar'],
] as const)('what waits in the inbox is counted only if all of it was read (%s)', async (language, unknown) => {
  for (const read of ['listWaitingPapers', 'listThreads']) {
    const { html } = await draw({ language, page: 'settings', states: { [read]: 'failed' } })
    expect(html).toContain(unknown)
  }
})
