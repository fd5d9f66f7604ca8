import { useRef, useState } from 'react'
import { expect, test } from 'vitest'
import { openScreen } from '../testing/index.ts'
import { BulkBar } from './selecting.tsx'
import { type Sort, Table, type TableProps } from './table.tsx'

interface Customer {
  readonly code: string
  readonly name: string
  readonly contracts: number
}

const CUSTOMERS: readonly Customer[] = [
  { code: 'UKFE58', name: 'Mara Lind', contracts: 2 },
  { code: 'R7TQ4K', name: 'Nils Åberg', contracts: 1 },
  { code: 'H3WVN9', name: 'Sofia Rask', contracts: 0 },
]

function Customers(props: Partial<TableProps<Customer>>) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const anchor = useRef<string | null>(null)
  const selection = { keys, onKeys: setKeys, anchor }
  return (
    <>
      <Table<Customer>
        label="Customers"
        columns={[
          { key: 'name', title: 'Name', cell: ({ name }) => name, canSort: true },
          { key: 'contracts', title: 'Contracts', cell: ({ contracts }) => contracts, isNumber: true },
        ]}
        rows={CUSTOMERS}
        keyOf={({ code }) => code}
        nameOf={({ name }) => name}
        hrefOf={({ code }) => `/customers/${code}`}
        selection={selection}
        empty={<p>No customer yet.</p>}
        {...props}
      />
      <BulkBar selection={selection}>
        <button type="button">Write</button>
      </BulkBar>
    </>
  )
}

test('a table has a head per column, and each row leads to its page', async () => {
  const screen = await openScreen(<Customers openKey="R7TQ4K" />)
  expect(screen.get('table', 'Customers')).toBeTruthy()
  expect(screen.all('columnheader').map((head) => head.textContent)).toEqual(['', 'Name', 'Contracts'])
  expect(screen.get('link', 'Mara Lind').getAttribute('href')).toBe('/customers/UKFE58')
  expect(screen.get('link', 'Nils Åberg').getAttribute('aria-current')).toBe('true')
})

test('rows are selected one by one, all together, and up to a row with Shift', async () => {
  const screen = await openScreen(<Customers />)
  const all = screen.get('checkbox', 'Select all rows')
  await screen.click('checkbox', 'Select Mara Lind')
  expect(all).toHaveProperty('indeterminate', true)
  expect(screen.get('toolbar', '1 selected')).toBeTruthy()
  const last = screen.get('checkbox', 'Select Sofia Rask')
  await screen.act(() => void last.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true })))
  expect(screen.get('toolbar', '3 selected')).toBeTruthy()
  expect(all).toHaveProperty('checked', true)
  await screen.click('button', 'Clear selection')
  expect(screen.find('toolbar')).toBeNull()
  await screen.click('checkbox', 'Select all rows')
  expect(screen.get('toolbar', '3 selected')).toBeTruthy()
})

test('a head that sorts says how, and turns around', async () => {
  const sorts: Sort[] = []
  const onSort = (sort: Sort): void => void sorts.push(sort)
  const screen = await openScreen(<Customers onSort={onSort} />)
  await screen.click('button', 'Name')
  await screen.show(<Customers onSort={onSort} sort={{ key: 'name', isDescending: false }} />)
  expect(screen.get('columnheader', 'Name').getAttribute('aria-sort')).toBe('ascending')
  await screen.click('button', 'Name')
  expect(sorts).toEqual([
    { key: 'name', isDescending: false },
    { key: 'name', isDescending: true },
  ])
})

test('before the first rows are there the table is busy; without any it says so', async () => {
  const screen = await openScreen(<Customers rows={null} />)
  expect(screen.get('table', 'Customers').getAttribute('aria-busy')).toBe('true')
  expect(screen.all('link')).toEqual([])
  expect(screen.get('checkbox', 'Select all rows')).toHaveProperty('disabled', true)
  await screen.show(<Customers rows={[]} />)
  expect(screen.text).toBe('No customer yet.')
})

test('more rows come from behind the cursor, and no total is claimed', async () => {
  let times = 0
  const more = { isBusy: false, onMore: () => (times += 1) }
  const screen = await openScreen(<Customers more={more} />, { language: 'de' })
  expect(screen.text).toContain('Die ersten 3 Zeilen')
  await screen.click('button', 'Mehr zeigen')
  expect(times).toBe(1)
  await screen.show(<Customers more={{ ...more, isBusy: true }} />)
  expect(screen.get('button', 'Mehr wird geholt …')).toHaveProperty('disabled', true)
})
