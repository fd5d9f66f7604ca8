import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { DeskPage } from './desk-page.tsx'
import { DeskFrame, Side, type SideProps } from './side.tsx'
import { Status } from './status.tsx'

const SIDE: SideProps = {
  company: { id: 'k1', name: 'Northwind Clinic', about: 'Pro, region eu', others: [] },
  groups: [
    {
      places: [
        { href: '/', name: 'Home', icon: null, isHere: true, count: { of: 4, kind: 'failed', about: '4 things wait' } },
        { href: '/services', name: 'Services', icon: null, isHere: false, count: { of: 0 } },
      ],
    },
    { title: 'Account', places: [{ href: '/audit', name: 'Audit', icon: null, isHere: false }] },
  ],
  me: { name: 'Elin Sandvik', items: [{ name: 'Lock', onChoose: () => {} }] },
}

test('the side says where one is and what waits; nothing is counted where nothing waits', async () => {
  const screen = await openScreen(<Side {...SIDE} />)
  expect(screen.get('navigation', 'Main').contains(screen.get('link', /Home/u))).toBe(true)
  expect(screen.get('link', /Home/u).getAttribute('aria-current')).toBe('page')
  expect(screen.get('note', '4 things wait').textContent).toBe('4')
  expect(screen.all('note')).toHaveLength(1)
  expect(screen.all('heading').map((heading) => heading.textContent)).toEqual(['Account'])
  expect(screen.find('button', /Switch company/u)).toBeNull()
})

test('the company is switched by a menu, and Ctrl K stands beside the search', async () => {
  const switched: string[] = []
  let times = 0
  const others = [{ name: 'Harborline', about: 'As operator', onChoose: () => switched.push('Harborline') }]
  const company = { ...SIDE.company, others }
  const screen = await openScreen(<Side {...SIDE} company={company} onFind={() => (times += 1)} />)
  await screen.click('button', /Find or do/u)
  expect(times).toBe(1)
  await screen.click('button', /^Northwind Clinic.*Switch company$/u)
  await screen.until(() => screen.find('menuitem', /Harborline/u))
  await screen.click('menuitem', /Harborline/u)
  expect(switched).toEqual(['Harborline'])
})

test('a page says its name to the window and takes the focus; facts, acts, crumbs and tabs have their places', async () => {
  const screen = await openScreen(
    <DeskFrame side={<Side {...SIDE} />}>
      <DeskPage
        title="Patient intake"
        lead="One webhook holds back 412 events."
        crumbs={[{ href: '/services', name: 'Services' }]}
        facts={['Share code INTAKE', <Status kind="failed">Not answering</Status>]}
        acts={<button type="button">Invite a customer</button>}
        tabs={[
          { href: '/services/s1', name: 'Overview', isHere: false },
          { href: '/services/s1/webhooks', name: 'Webhooks', isHere: true, count: { of: 1, kind: 'failed' } },
        ]}
      />
    </DeskFrame>,
    { language: 'de' },
  )
  expect(document.title).toBe('Patient intake – Sealpost')
  expect(document.activeElement).toBe(screen.get('heading', 'Patient intake'))
  expect(screen.get('navigation', 'Wo Sie sind').textContent).toBe('Services')
  expect(screen.get('link', /Webhooks/u).getAttribute('aria-current')).toBe('page')
  expect(screen.get('main').textContent).toContain('Not answering')
  await screen.act(() => screen.get('link', 'Zur Seite').focus())
  await screen.click('link', 'Zur Seite')
  expect(document.activeElement).toBe(screen.get('heading', 'Patient intake'))
})
