import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * Barriers that axe finds in the page, as text. It runs in a world of its own: the page's policy refuses foreign scripts,
 * and the page does not see it.
 */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  })
  await session.send('Runtime.evaluate', { expression: SOURCE, contextId })
  const expression = `axe.run(document, { resultTypes: ['violations'], runOnly: ${JSON.stringify(RULES)} })`
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of axe's answer
  const { violations } = result.value as { readonly violations: readonly Violation[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}
