import { Search, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useUiWords } from '../words/ui-words.ts'
import classes from './search-box.module.css'

export interface SearchBoxProps {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
}

/** Narrows what stands below it. */
export function SearchBox({ label, value, onValue }: SearchBoxProps): ReactNode {
  const words = useUiWords().desk
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={classes.box} role="search">
      <Search size={14} aria-hidden />
      <input
        ref={input}
        type="text"
        role="searchbox"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value !== '') onValue('')
        }}
      />
      {value === '' ? null : (
        <button
          type="button"
          aria-label={words.clear}
          onClick={() => {
            onValue('')
            input.current?.focus()
          }}
        >
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}
