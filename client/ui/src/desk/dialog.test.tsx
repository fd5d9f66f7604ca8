import { useState } from 'react'
import { expect, test } from 'vitest'
import { Button } from '../controls/button.tsx'
import { openScreen } from '../testing/index.ts'
import { Dialog } from './dialog.tsx'

function Ending({ isBusy = false, isDrawer = false }: { readonly isBusy?: boolean; readonly isDrawer?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>End</Button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="End the connection"
        about="Mara Lind gets nothing more."
        isBusy={isBusy}
        isDrawer={isDrawer}
        acts={<Button look="danger">End connection</Button>}
      />
    </>
  )
}

test.each([false, true])(
  'a dialog has its name and sentence, and Escape closes it (at the side: %s)',
  async (isDrawer) => {
    const screen = await openScreen(<Ending isDrawer={isDrawer} />)
    expect(screen.find('dialog')).toBeNull()
    await screen.click('button', 'End')
    await screen.until(() => screen.find('dialog', 'End the connection'))
    const dialog = screen.get('dialog', 'End the connection')
    const about = document.getElementById(dialog.getAttribute('aria-describedby') ?? '')
    expect(about?.textContent).toBe('Mara Lind gets nothing more.')
    expect(screen.find('button', 'End')).toBeNull()
    await screen.until(() => dialog.contains(document.activeElement))
    await screen.press('Escape')
    await screen.until(() => screen.find('dialog') === null)
    await screen.until(() => document.activeElement === screen.find('button', 'End'))
    expect(document.querySelectorAll('style')).toHaveLength(0)
  },
)

test('while an act is running the dialog stays', async () => {
  const screen = await openScreen(<Ending isBusy />, { language: 'de' })
  await screen.click('button', 'End')
  await screen.until(() => screen.find('dialog'))
  await screen.press('Escape')
  expect(screen.get('button', 'Schließen')).toHaveProperty('disabled', true)
  expect(screen.find('dialog')).not.toBeNull()
})
