import { useState } from 'react'
import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { FileDrop, whyRefused } from './file-drop.tsx'

function Template() {
  const [file, setFile] = useState<File | null>(null)
  return <FileDrop label="Template" accept="application/pdf,.pem" maxBytes={1_000_000} file={file} onFile={setFile} />
}

function dropped(file: File): Event {
  const event = new Event('drop', { bubbles: true, cancelable: true })
  return Object.assign(event, { dataTransfer: { files: [file] } })
}

test('a file that is dropped is taken, one that does not fit is refused in words', async () => {
  const screen = await openScreen(<Template />, { language: 'de' })
  const place = document.querySelector('input')?.parentElement
  await screen.act(
    () => void place?.dispatchEvent(dropped(new File(['%PDF'], 'lease.pdf', { type: 'application/pdf' }))),
  )
  expect(screen.text).toContain('lease.pdf')
  await screen.act(() => void place?.dispatchEvent(dropped(new File(['x'], 'cat.png', { type: 'image/png' }))))
  expect(screen.text).toContain('Diese Art von Datei geht hier nicht.')
  expect(screen.text).toContain('lease.pdf')
  expect(document.querySelector('input')?.getAttribute('aria-invalid')).toBe('true')
})

test.each([
  [{ name: 'a.pdf', type: 'application/pdf', size: 9 }, 'application/pdf', null],
  [{ name: 'KEY.PEM', type: '', size: 9 }, '.pem', null],
  [{ name: 'a.png', type: 'image/png', size: 9 }, 'image/*', null],
  [{ name: 'a.pdf', type: 'text/html', size: 9 }, 'application/pdf', 'kind'],
  [{ name: 'a.pdf', type: 'application/pdf', size: 11 }, 'application/pdf', 'size'],
  [{ name: 'a', type: '', size: 9 }, '', null],
])('%o for %s: %s', (file, accept, why) => {
  expect(whyRefused(file, accept, 10)).toBe(why)
})
