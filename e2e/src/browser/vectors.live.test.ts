import { join } from 'node:path'
import { bundleForBrowser } from '@sealpost/front-door/build/bundle'
import { beforeAll, describe, expect, test } from 'vitest'
import { type LoopbackPage, openLoopbackPage } from './loopback-page.ts'
import { readSuite } from './read-suite.ts'
import { type Outcome, runSuite, suiteCases } from './run-suite.ts'
import { SUITES } from './suites.ts'

const suites = Object.keys(SUITES).map((suite) => {
  const run = readSuite(suite)
  return { suite, run, count: suiteCases(run).length }
})

let page: LoopbackPage

beforeAll(async () => {
  page = await openLoopbackPage(await bundleForBrowser(join(import.meta.dirname, 'page-script.ts')))
  return () => page.close()
})

describe('in headless Chromium', () => {
  test.each(suites)('all $count vectors of $suite pass as they do in Node', async ({ run, count }) => {
    const inNode = await runSuite(run)
    const inBrowser = await page.call<readonly Outcome[]>('runSuite', run)
    expect(inBrowser.filter(({ error }) => error !== null)).toEqual([])
    expect(inBrowser).toEqual(inNode)
    expect(inBrowser).toHaveLength(count)
  })

  test('the page has a secure origin and no globals of Node', async () => {
    const probe = '() => [isSecureContext, typeof process, typeof Buffer, navigator.userAgent]'
    const expected = [true, 'undefined', 'undefined', expect.stringContaining('HeadlessChrome')]
    expect(await page.call(probe, null)).toEqual(expected)
  })

  test('a single wrong expectation fails and is named', async () => {
    const planted = { name: 'planted', source: 'a', values: {}, plain: 'b', tree: [], tags: [], forbidden: [] }
    const outcomes = await page.call<readonly Outcome[]>('runSuite', withText(planted))
    const failed = outcomes.filter(({ error }) => error !== null)
    expect(failed).toEqual([{ name: 'vectors/text.json: texts: planted', error: expect.stringContaining('expected') }])
  })

  test.each(['https://elsewhere.example/', 'http://127.0.0.1:1/', 'http://[2001:db8::1]/'])(
    'a call to %s is blocked and reported',
    async (url) => {
      await expect(page.call('fetch', url)).rejects.toThrow(`the page reached for ${url}`)
    },
  )

  test('a web socket to another host is blocked and reported', async () => {
    const url = 'wss://elsewhere.example/'
    const open = '(url) => new Promise((resolve) => (new WebSocket(url).onclose = () => resolve(null)))'
    await expect(page.call(open, url)).rejects.toThrow(`the page reached for ${url}`)
  })

  test('a script that imports Node modules is refused when it is bundled', async () => {
    await expect(bundleForBrowser(join(import.meta.dirname, 'read-suite.ts'))).rejects.toThrow('imports node:fs')
  })
})

function withText(row: unknown) {
  const { suite, texts } = readSuite('text')
  const path = 'vectors/text.json'
  const file = JSON.parse(texts[path] ?? '')
  return { suite, texts: { [path]: JSON.stringify({ ...file, texts: [...file.texts, row] }) } }
}
