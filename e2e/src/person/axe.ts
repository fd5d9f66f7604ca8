import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Those whose result depends on colours and sizes: the others give the same in every look of a page. */
const RULES_OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** One per page: the isolated world, and axe in it, stay for as long as the session and the document do. */
const sessions = new WeakMap<Page, Promise<CDPSession>>()

/**
 * Barriers that axe finds in the page, as text; `ofLook`: only those that another look of the same page can have. It runs
 * in a world of its own: the page's policy refuses foreign scripts, and the page does not see it.
 */
export async function findBarriers(page: Page, { ofLook = false } = {}): Promise<readonly string[]> {
  const session = await sessionOf(page)
  const contextId = await openWorldOfAxe(session)
  const runOnly = ofLook ? { type: 'rule', values: RULES_OF_LOOKS } : RULES
  const expression = `axe.run(document, { resultTypes: ['violations'], runOnly: ${JSON.stringify(runOnly)} })`
  const { result } = await session.send('Runtime.evaluate', {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape of axe's answer
  const { violations } = result.value as { readonly violations: readonly Violation[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
}

function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

/** The id of a world that has axe. */
async function openWorldOfAxe(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  })
  const { result } = await session.send('Runtime.evaluate', { expression: 'typeof axe', contextId })
  if (result.value === 'undefined') await session.send('Runtime.evaluate', { expression: SOURCE, contextId })
  return contextId
}
