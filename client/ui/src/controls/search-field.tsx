import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import { Button } from './button.tsx'
import { Field, type FieldAbout } from './field.tsx'
import classes from './field.module.css'
import own from './search-field.module.css'

export interface SearchOption {
  readonly id: string
  readonly label: string
}

export interface Found {
  readonly options: readonly SearchOption[]
  /** The list was cut. */
  readonly more: boolean
}

export interface SearchFieldProps extends FieldAbout {
  readonly picked: SearchOption | null
  readonly onPick: (option: SearchOption | null) => void
  /** Options elsewhere that match; a failure counts as nothing found. */
  readonly search: (query: string) => Promise<Found>
  readonly isDisabled?: boolean
}

/** One of many that are kept elsewhere, found by typing. */
export function SearchField({ picked, onPick, search, isDisabled = false, ...about }: SearchFieldProps): ReactNode {
  const words = useUiWords().search
  const place = useRef<HTMLDivElement>(null)
  // The control that had the focus goes with a change: the one that comes in its place gets it.
  const hasMoved = useRef(false)
  useEffect(() => {
    if (hasMoved.current) place.current?.querySelector<HTMLElement>('input, button')?.focus()
    hasMoved.current = false
  }, [picked])
  const pick = (option: SearchOption | null): void => {
    hasMoved.current = true
    onPick(option)
  }
  return (
    <div ref={place}>
      {picked === null ? (
        <Search {...about} search={search} onPick={pick} isDisabled={isDisabled} />
      ) : (
        <Field {...about}>
          {(ties) => (
            <div className={own.picked}>
              <output id={ties.id} aria-describedby={ties['aria-describedby']}>
                {picked.label}
              </output>
              <Button aria-label={words.changeName(about.label)} onClick={() => pick(null)}>
                {words.change}
              </Button>
            </div>
          )}
        </Field>
      )}
    </div>
  )
}

type State = { readonly kind: 'closed' | 'searching' | 'failed' } | ({ readonly kind: 'found' } & Found)

function Search({ search, onPick, isDisabled, ...about }: Omit<SearchFieldProps, 'picked'>): ReactNode {
  const words = useUiWords().search
  const list = useId()
  const { query, state, options, active, find, close, move } = useSearch(search)
  const onKeyDown = (event: KeyboardEvent): void => {
    const moved = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (moved !== undefined) move(moved)
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && options[active] !== undefined) onPick(options[active])
    else return
    event.preventDefault()
  }
  const isOpen = options.length > 0
  return (
    <div
      className={own.search}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      }}
    >
      <Field {...about}>
        {(ties) => (
          <input
            {...ties}
            className={classes.control}
            role="combobox"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={isOpen ? list : undefined}
            aria-activedescendant={isOpen ? `${list}-${active}` : undefined}
            placeholder={words.type}
            disabled={isDisabled}
            value={query}
            onChange={(event) => find(event.currentTarget.value)}
            onFocus={() => find(query)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      {isOpen ? <Options list={list} label={about.label} options={options} active={active} onPick={onPick} /> : null}
      <p className={own.state} role="status">
        {stateText(words, state)}
      </p>
    </div>
  )
}

function Options({
  list,
  label,
  options,
  active,
  onPick,
}: {
  readonly list: string
  readonly label: string
  readonly options: readonly SearchOption[]
  readonly active: number
  readonly onPick: (option: SearchOption) => void
}): ReactNode {
  return (
    <ul className={own.list} id={list} role="listbox" aria-label={label}>
      {options.map((option, place) => (
        <li
          key={option.id}
          id={`${list}-${place}`}
          role="option"
          aria-selected={place === active}
          // Before the input loses the focus, which closes the list.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(option)}
        >
          {option.label}
        </li>
      ))}
    </ul>
  )
}

interface Searching {
  readonly query: string
  readonly state: State
  readonly options: readonly SearchOption[]
  /** The place of the option that Enter picks. */
  readonly active: number
  readonly find: (text: string) => void
  readonly close: () => void
  readonly move: (by: number) => void
}

function useSearch(search: SearchFieldProps['search']): Searching {
  const [query, setQuery] = useState('')
  const [state, setState] = useState<State>({ kind: 'closed' })
  const [active, setActive] = useState(0)
  const asked = useRef(0)
  const find = (text: string): void => {
    const call = (asked.current += 1)
    setQuery(text)
    setActive(0)
    setState((before) => (before.kind === 'found' ? before : { kind: 'searching' }))
    // Of several answers the one to the last question counts.
    const settle = (next: State): void => {
      if (call === asked.current) setState(next)
    }
    search(text).then(
      (found) => settle({ kind: 'found', ...found }),
      () => settle({ kind: 'failed' }),
    )
  }
  const close = (): void => {
    asked.current += 1
    setState({ kind: 'closed' })
  }
  const options = state.kind === 'found' ? state.options : []
  const move = (by: number): void => {
    if (state.kind === 'closed') find(query)
    else setActive(Math.min(Math.max(active + by, 0), Math.max(options.length - 1, 0)))
  }
  return { query, state, options, active, find, close, move }
}

function stateText(words: ReturnType<typeof useUiWords>['search'], state: State): string {
  if (state.kind === 'closed') return ''
  if (state.kind !== 'found') return words[state.kind]
  if (state.options.length === 0) return words.nothing
  return state.more ? words.more : ''
}
