import { Autocomplete } from '@base-ui/react/autocomplete'
import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useState } from 'react'
import { navigate } from '../browser/router.ts'
import { useUiWords } from '../words/ui-words.ts'
import classes from './palette.module.css'

/** A place to go to, or something to do. */
export interface PaletteItem {
  readonly id: string
  readonly name: string
  readonly about?: string
  readonly group: string
  readonly href?: string
  readonly onChoose?: () => void
}

export interface PaletteProps {
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly items: readonly PaletteItem[]
  /** What is searched elsewhere, such as customers; a failure counts as nothing found. */
  readonly search?: (query: string) => Promise<readonly PaletteItem[]>
}

export default function PalettePopup({ isOpen, onOpen, items, search }: PaletteProps): ReactNode {
  const words = useUiWords().desk.palette
  const [query, setQuery] = useState('')
  const found = useFound(isOpen ? query : '', search)
  const groups = groupsOf([...items.filter((item) => matches(item, query)), ...found])
  const choose = (item: PaletteItem): void => {
    onOpen(false)
    setQuery('')
    if (item.href === undefined) item.onChoose?.()
    else navigate(item.href)
  }
  return (
    <CSPProvider disableStyleElements>
      <Dialog.Root open={isOpen} onOpenChange={(isNowOpen) => onOpen(isNowOpen)}>
        <Dialog.Portal>
          <Dialog.Backdrop className={classes.back} />
          <Dialog.Popup className={classes.palette} aria-label={words.title}>
            <Autocomplete.Root
              open
              inline
              items={groups}
              mode="none"
              autoHighlight="always"
              value={query}
              onValueChange={(text, { reason }) => {
                if (reason !== 'item-press') setQuery(text)
              }}
              itemToStringValue={(item: PaletteItem) => item.name}
            >
              <Autocomplete.Input className={classes.input} aria-label={words.title} placeholder={words.placeholder} />
              <Autocomplete.Empty className={classes.empty}>
                {groups.length === 0 ? words.nothing : null}
              </Autocomplete.Empty>
              <Autocomplete.List className={classes.list}>
                {(group: PaletteGroup) => <Group key={group.value} group={group} onChoose={choose} />}
              </Autocomplete.List>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
    </CSPProvider>
  )
}

interface PaletteGroup {
  readonly value: string
  readonly items: readonly PaletteItem[]
}

function Group({
  group,
  onChoose,
}: {
  readonly group: PaletteGroup
  readonly onChoose: (item: PaletteItem) => void
}): ReactNode {
  return (
    <Autocomplete.Group items={group.items}>
      <Autocomplete.GroupLabel className={classes.group}>{group.value}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>
        {(item: PaletteItem) => (
          <Autocomplete.Item key={item.id} value={item} className={classes.item} onClick={() => onChoose(item)}>
            {item.name}
            {item.about === undefined ? null : <small>{item.about}</small>}
          </Autocomplete.Item>
        )}
      </Autocomplete.Collection>
    </Autocomplete.Group>
  )
}

/** Every word that was typed must begin a word of the name. */
function matches({ name, about = '' }: PaletteItem, query: string): boolean {
  const has = ` ${name} ${about}`.toLocaleLowerCase()
  const wanted = query.toLocaleLowerCase().split(/\s+/u)
  return wanted.every((word) => has.includes(` ${word}`))
}

function groupsOf(items: readonly PaletteItem[]): readonly PaletteGroup[] {
  const names = [...new Set(items.map(({ group }) => group))]
  return names.map((name) => ({ value: name, items: items.filter(({ group }) => group === name) }))
}

const QUIET_MS = 150

/** Of several answers the one to the last question counts. */
function useFound(query: string, search: PaletteProps['search']): readonly PaletteItem[] {
  const [found, setFound] = useState<{ readonly query: string; readonly items: readonly PaletteItem[] }>()
  useEffect(() => {
    if (search === undefined || query.trim() === '') return
    let isLast = true
    const timer = setTimeout(() => {
      search(query).then(
        (items) => {
          if (isLast) setFound({ query, items })
        },
        () => {},
      )
    }, QUIET_MS)
    return () => {
      isLast = false
      clearTimeout(timer)
    }
  }, [query, search])
  return found?.query === query ? found.items : []
}
