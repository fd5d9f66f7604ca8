export { initialsOf, partyOf } from './brand/party.ts'
export { Brand, Seal } from './brand/seal.tsx'
export { matchRoute, type Match } from './browser/match.ts'
export { followLinks, navigate, useLocation } from './browser/router.ts'
export { linksTo, type Params } from './browser/routes.ts'
export { applyTheme, readTheme, setTheme, type Theme } from './browser/theme.ts'
export { scriptUrl } from './browser/trusted-types.ts'
export { Button, ButtonLink, type ButtonLook, type ButtonProps, Buttons } from './controls/button.tsx'
export { type Chip, Chips } from './controls/chips.tsx'
export { type ChoiceOption, Choices, Tick } from './controls/choice.tsx'
export {
  type ControlTies,
  DigitsField,
  Field,
  type FieldAbout,
  FieldRow,
  Fields,
  type Option,
  SelectField,
  TextArea,
  TextField,
} from './controls/field.tsx'
export { Form } from './controls/form.tsx'
export { PasswordField } from './controls/password-field.tsx'
export { type Found, SearchField, type SearchFieldProps, type SearchOption } from './controls/search-field.tsx'
export {
  Bullets,
  Card,
  Page,
  PageNotice,
  Quiet,
  Row,
  Rows,
  Section,
  TearOff,
  Unseen,
  useHeading,
} from './page/page.tsx'
export { useParts } from './page/use-parts.ts'
export { Failed } from './states/failed.tsx'
export { describeFailure, type Failure, FailureError, failureOf, type ValueProblem } from './states/failure.ts'
export { Empty, Notice, type NoticeKind, Pending, Tag } from './states/notice.tsx'
export type { ErrorText, ErrorTexts } from './words/error-text.ts'
export { formatBytes, formatDate, formatDay, formatTime, formatWhen } from './words/formats.ts'
export { type Language, languageNames, languages, preferredLanguage, readLanguage } from './words/language.ts'
export { type Catalog, type Catalogs, createWords, useLanguage, wordsFor } from './words/provider.tsx'
export { pluralOf, type PluralForms } from './words/plural.ts'
export { useUiWords } from './words/ui-words.ts'
export type { UiWords } from './words/ui/en.ts'
