import { useState } from 'react'
import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { DateRange, isBackwards, lastDays, type Range } from './date-range.tsx'

const TODAY = '2026-03-01'

test('the last days end today and cross months', () => {
  expect(lastDays(TODAY, 1)).toEqual({ from: TODAY, to: TODAY })
  expect(lastDays(TODAY, 7)).toEqual({ from: '2026-02-23', to: TODAY })
  expect(isBackwards({ from: '2026-03-02', to: TODAY })).toBe(true)
  expect(isBackwards({ from: '2026-03-02', to: '' })).toBe(false)
})

function Period() {
  const [range, setRange] = useState<Range>({ from: '', to: '' })
  return <DateRange range={range} onRange={setRange} today={TODAY} />
}

test('a period is chosen at once or typed; an end before the beginning says so', async () => {
  const screen = await openScreen(<Period />)
  await screen.click('button', 'Last 30 days')
  expect(screen.get('button', 'Last 30 days').getAttribute('aria-pressed')).toBe('true')
  const [from, to] = document.querySelectorAll('input')
  expect([from?.value, to?.value]).toEqual(['2026-01-31', TODAY])
  await screen.act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(to, '2026-01-01')
    to?.dispatchEvent(new Event('input', { bubbles: true }))
  })
  expect(screen.text).toContain('The end is before the beginning.')
  expect(screen.get('button', 'Last 30 days').getAttribute('aria-pressed')).toBe('false')
})
