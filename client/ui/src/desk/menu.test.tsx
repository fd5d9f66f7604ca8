import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { MenuButton } from './menu-button.tsx'

function open(chosen: string[]) {
  return openScreen(
    <MenuButton
      label="Acts"
      items={[
        { name: 'Delete', isGrave: true, onChoose: () => chosen.push('delete') },
        { name: 'Rename', onChoose: () => chosen.push('rename') },
        { name: 'Move', whyNot: 'Only the owner may move it', onChoose: () => chosen.push('move') },
        { name: 'Settings', href: '/settings' },
      ]}
    >
      More
    </MenuButton>,
  )
}

test('a menu opens by its button, names its acts, and what is grave stands last', async () => {
  const chosen: string[] = []
  const screen = await open(chosen)
  const button = screen.get('button', 'Acts')
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await screen.click('button', 'Acts')
  await screen.until(() => screen.find('menu'))
  expect(screen.all('menuitem').map((item) => item.textContent)).toEqual([
    'Rename',
    'MoveOnly the owner may move it',
    'Settings',
    'Delete',
  ])
  expect(screen.get('menuitem', 'Settings').getAttribute('href')).toBe('/settings')
  await screen.click('menuitem', /Move/u)
  expect(chosen).toEqual([])
  await screen.click('menuitem', 'Rename')
  await screen.until(() => screen.find('menu') === null)
  expect(chosen).toEqual(['rename'])
})

test('a menu opens again, and puts no style into the page', async () => {
  const screen = await open([])
  for (const _time of [1, 2]) {
    await screen.click('button', 'Acts')
    await screen.until(() => screen.find('menu'))
    await screen.press('Escape')
    await screen.until(() => screen.find('menu') === null)
  }
  expect(document.querySelectorAll('style')).toHaveLength(0)
})
