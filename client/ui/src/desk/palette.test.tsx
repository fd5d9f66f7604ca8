import { useState } from 'react'
import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import type { PaletteItem, PaletteProps } from './palette-popup.tsx'
import { Palette } from './palette.tsx'

function Desk({ items, search }: Pick<PaletteProps, 'items' | 'search'>) {
  const [isOpen, setOpen] = useState(false)
  return <Palette isOpen={isOpen} onOpen={setOpen} items={items} {...(search === undefined ? {} : { search })} />
}

function itemsOf(chosen: string[]): readonly PaletteItem[] {
  return ['Go home', 'New service', 'New sign-in app'].map((name) => ({
    id: name,
    name,
    group: name.startsWith('New') ? 'Do' : 'Places',
    onChoose: () => void chosen.push(name),
  }))
}

test('Control K opens it; the words that are typed begin words of what is found, and Enter does it', async () => {
  const chosen: string[] = []
  const screen = await openScreen(<Desk items={itemsOf(chosen)} />)
  expect(screen.find('dialog')).toBeNull()
  await screen.press('Control+k')
  await screen.until(() => screen.all('option').length === 3)
  await screen.type('combobox', 'Find or do', 'ne sig')
  await screen.until(() => screen.all('option').length === 1)
  expect(screen.get('option').textContent).toBe('New sign-in app')
  await screen.press('Enter')
  await screen.until(() => screen.find('dialog') === null)
  expect(chosen).toEqual(['New sign-in app'])
  expect(document.querySelectorAll('style')).toHaveLength(0)
})

const search = async (query: string): Promise<readonly PaletteItem[]> =>
  query === 'mara' ? [{ id: 'c1', name: 'Mara Lind', group: 'Customers', href: '/customers/c1' }] : []

test('what is kept elsewhere is found, too; nothing is said to match while nothing does', async () => {
  const screen = await openScreen(<Desk items={itemsOf([])} search={search} />)
  await screen.press('Meta+k')
  await screen.until(() => screen.all('option').length === 3)
  await screen.type('combobox', 'Find or do', 'zzz')
  await screen.until(() => screen.text.includes('Nothing matches.'))
  await screen.type('combobox', 'Find or do', 'mara')
  await screen.until(() => screen.find('option', /Mara Lind/u))
  await screen.click('option', /Mara Lind/u)
  expect(location.pathname).toBe('/customers/c1')
})
