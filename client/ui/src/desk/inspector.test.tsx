import { useState } from 'react'
import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { Inspector } from './inspector.tsx'

function List() {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <>
      <button type="button" onClick={() => setOpen('Mara Lind')}>
        Mara
      </button>
      {open === null ? null : (
        <Inspector title={open} onClose={() => setOpen(null)}>
          Six values are sealed.
        </Inspector>
      )}
    </>
  )
}

test('an inspector takes the focus, leaves the list usable, and gives the focus back', async () => {
  const screen = await openScreen(<List />)
  await screen.click('button', 'Mara')
  expect(document.activeElement).toBe(screen.get('heading', 'Mara Lind'))
  expect(screen.get('complementary', 'Mara Lind').textContent).toContain('Six values are sealed.')
  expect(screen.get('button', 'Mara')).toBeTruthy()
  await screen.press('Escape')
  expect(screen.find('complementary')).toBeNull()
  expect(document.activeElement).toBe(screen.get('button', 'Mara'))
})
