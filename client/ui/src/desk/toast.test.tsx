import { expect, onTestFinished, test, vi } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { SearchBox } from './search-box.tsx'
import { Slow } from './skeleton.tsx'
import { ToastProvider, useToast } from './toast.tsx'

function Remover({ onUndo }: { readonly onUndo: () => void }) {
  const show = useToast()
  return (
    <button type="button" onClick={() => show({ what: 'Removed', act: { name: 'Undo', onAct: onUndo } })}>
      Remove
    </button>
  )
}

test('what was done is said aloud, can be taken back, and goes away by itself unless it is in use', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let times = 0
  const screen = await openScreen(
    <ToastProvider>
      <Remover onUndo={() => (times += 1)} />
    </ToastProvider>,
  )
  expect(screen.get('region', 'What was done').getAttribute('aria-live')).toBe('polite')
  await screen.click('button', 'Remove')
  await screen.click('button', 'Undo')
  expect(times).toBe(1)
  expect(screen.text).not.toContain('Removed')
  await screen.click('button', 'Remove')
  await screen.act(() => screen.get('button', 'Undo').focus())
  await screen.act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.text).toContain('Removed')
  await screen.act(() => screen.get('button', 'Undo').blur())
  await screen.act(() => void vi.advanceTimersByTime(60_000))
  expect(screen.text).not.toContain('Removed')
})

test('what takes long says so after a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const screen = await openScreen(<Slow>Opening …</Slow>)
  expect(screen.get('status').textContent).toBe('Opening …')
  await screen.act(() => void vi.advanceTimersByTime(5_000))
  expect(screen.get('status').textContent).toBe('Opening … This takes longer than usual.')
})

test('a search is emptied by its button and by Escape', async () => {
  const typed: string[] = []
  const onValue = (value: string): void => void typed.push(value)
  const screen = await openScreen(<SearchBox label="Share code or name" value="" onValue={onValue} />)
  expect(screen.find('button', 'Clear')).toBeNull()
  await screen.type('searchbox', 'Share code or name', 'mara')
  await screen.show(<SearchBox label="Share code or name" value="mara" onValue={onValue} />)
  await screen.press('Escape')
  await screen.click('button', 'Clear')
  expect(typed).toEqual(['mara', '', ''])
  expect(document.activeElement).toBe(screen.get('searchbox'))
})
