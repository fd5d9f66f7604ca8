import { expect, onTestFinished, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { CodeBlock } from './code-block.tsx'
import { groupsOf, SecretOnce } from './secret-once.tsx'

/** What the page copies goes here; `isRefused` as a browser that asks and gets a no. */
function putClipboard(isRefused = false): readonly string[] {
  const copied: string[] = []
  const before = Object.getOwnPropertyDescriptor(navigator, 'clipboard')
  const writeText = async (text: string): Promise<void> => {
    if (isRefused) throw new DOMException('not allowed', 'NotAllowedError')
    copied.push(text)
  }
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  onTestFinished(() => {
    if (before !== undefined) Object.defineProperty(navigator, 'clipboard', before)
    else Reflect.deleteProperty(navigator, 'clipboard')
  })
  return copied
}

test('code is copied as it is, and the button says so', async () => {
  const copied = putClipboard()
  const screen = await openScreen(<CodeBlock title="curl" code={'curl \\\n  https://api.example'} />)
  await screen.click('button', 'Copy: curl')
  expect(copied).toEqual(['curl \\\n  https://api.example'])
  expect(screen.get('button', 'Copied: curl').textContent).toBe('Copied')
})

test('a browser that refuses to copy is not called copied', async () => {
  putClipboard(true)
  const screen = await openScreen(<CodeBlock title="curl" code="curl" />)
  await screen.click('button', 'Copy: curl')
  expect(screen.text).toContain('Not copied')
})

test('a secret stands in groups; the covered ones are not on the page', async () => {
  const screen = await openScreen(<SecretOnce label="Passphrase" secret="qT7wZk3Nx8R" groupOf={4} covered={[1]} />)
  expect(screen.all('listitem').map((item) => item.textContent)).toEqual(['qT7w', '', 'x8R'])
  expect(screen.get('img', 'covered')).toBeTruthy()
  expect(document.body.innerHTML).not.toContain('Zk3N')
  expect(groupsOf('abcdefgh', 4)).toEqual(['abcd', 'efgh'])
})

test('a masked secret is copied without being shown', async () => {
  const copied = putClipboard()
  let times = 0
  const screen = await openScreen(<SecretOnce label="Secret" secret="s3cret" isMasked onCopied={() => (times += 1)} />)
  expect(document.body.innerHTML).not.toContain('s3cret')
  await screen.click('button', 'Copy: Secret')
  expect(copied).toEqual(['s3cret'])
  expect(times).toBe(1)
  await screen.click('button', 'Show')
  expect(screen.text).toContain('s3cret')
  await screen.click('button', 'Hide')
  expect(document.body.innerHTML).not.toContain('s3cret')
})
