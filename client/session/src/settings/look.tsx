import { Card, languageNames, languages, readTheme, SelectField, setTheme, type Theme, useLanguage } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { useSessionWords } from '../words/index.ts'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** Language and colours of this browser. */
export function Look(): ReactNode {
  const words = useSessionWords().settings
  const { language, choose } = useLanguage()
  const [theme, setChosen] = useState(readTheme())
  return (
    <Card>
      <SelectField
        label={words.language}
        value={language}
        onValue={(value) => void choose(languages.find((each) => each === value) ?? 'en')}
        options={languages.map((each) => ({ value: each, label: languageNames[each] }))}
      />
      <SelectField
        label={words.theme}
        value={theme}
        onValue={(value) => {
          const chosen = THEMES.find((each) => each === value) ?? 'system'
          setTheme(chosen)
          setChosen(chosen)
        }}
        options={THEMES.map((each) => ({ value: each, label: words.themes[each] }))}
      />
    </Card>
  )
}
