// Faults of queries, by code: what is wrong with the parameters of a request.

import type { Text } from './text.ts'

export const requestFaults = {
  encoding: {
    en: "The parameter '{parameter}' is not percent-encoded UTF-8; encode a percent sign as %25.",
    de: 'Der Parameter „{parameter}“ ist kein UTF-8 in Prozentkodierung; kodieren Sie ein Prozentzeichen als %25.',
  },
  unknown_parameter: {
    en: "Unknown parameter '{parameter}'; known parameters are {known}.",
    de: 'Den Parameter „{parameter}“ gibt es nicht. Verfügbar: {known}.',
  },
  unknown_filter: {
    en: "'{parameter}' must be filter[field] or filter[field][]; use filter= for other comparisons.",
    de: '„{parameter}“ muss filter[field] oder filter[field][] lauten; andere Vergleiche stehen in filter=.',
  },
  unknown_type: {
    en: "'{parameter}' must name a type in this response, as in fields[{resource}].",
    de: '„{parameter}“ muss einen Typ dieser Antwort nennen, wie in fields[{resource}].',
  },
  unknown_member: {
    en: "{resource} has no {kind} '{name}'; it has {known}.",
    de: '{resource} hat „{name}“ nicht. Verfügbar: {known}.',
  },
  repeated: {
    en: "'{parameter}' is given {count} times; it must be given once.",
    de: '„{parameter}“ steht {count}-mal in der Anfrage; erlaubt ist es einmal.',
  },
  repeated_fields: {
    en: 'The fields of {resource} are given twice; they must be given once.',
    de: 'Die Felder von {resource} stehen zweimal in der Anfrage; erlaubt ist es einmal.',
  },
  contradiction: {
    en: "'{first}' and '{second}' cannot be combined; use one of them.",
    de: '„{first}“ und „{second}“ lassen sich nicht zugleich verwenden.',
  },
  bad_value: { en: '{value} {reason}', de: 'Ungültiger Wert „{value}“. {reason}' },
  bad_operator: {
    en: "The operator '{operator}' does not work with {member}; use one of {known}.",
    de: 'Der Operator „{operator}“ passt nicht zu {member}. Möglich sind: {known}.',
  },
  which_vector: {
    en: 'needs the name of a field: {known}',
    de: 'Geben Sie das Feld an: {known}.',
  },
  max_words: {
    en: 'must have {max} words or fewer',
    de: 'Geben Sie höchstens {max} Wörter ein.',
  },
  syntax: { en: '{message}', de: 'Syntaxfehler im Filter: {message}' },
  unsearchable: { en: 'is not searchable', de: 'Dieses Feld ist nicht durchsuchbar.' },
  unsortable: {
    en: 'Records cannot be sorted by {member}: {reason}.',
    de: 'Nach {member} lässt sich nicht sortieren: {reason}.',
  },
  ungroupable: {
    en: 'Records cannot be grouped by {member}: {reason}.',
    de: 'Nach {member} lässt sich nicht gruppieren: {reason}.',
  },
  unfit_measure: {
    en: "'{function}' cannot be computed of {member}: {reason}.",
    de: '„{function}“ lässt sich von {member} nicht berechnen: {reason}.',
  },
  unknown_measure: {
    en: "'{name}' is neither a group of this request nor count, sum.…, avg.…, min.…, max.…, distinct.…, median.…, p90.…, p95.… or p99.… of a field.",
    de: '„{name}“ ist weder eine Gruppe dieser Anfrage noch count, sum.…, avg.…, min.…, max.…, distinct.…, median.…, p90.…, p95.… oder p99.… eines Feldes.',
  },
  nothing_to_compute: { en: 'Name at least one of {known}.', de: 'Nennen Sie mindestens eines von: {known}.' },
  not_of_groups: {
    en: "'{parameter}' has no meaning for aggregates; leave it out.",
    de: '„{parameter}“ hat bei Auswertungen keine Bedeutung; lassen Sie es weg.',
  },
  time_zone: {
    en: 'must be the name of a time zone, such as Europe/Berlin',
    de: 'Geben Sie eine Zeitzone wie Europe/Berlin ein.',
  },
  too_deep: { en: "'{path}' follows more than {max} relations.", de: '„{path}“ folgt mehr als {max} Beziehungen.' },
  cursor: {
    en: 'is not a valid cursor; use a next or prev link',
    de: 'Diese Position in der Liste ist ungültig; folgen Sie einem Link next oder prev.',
  },
  other_cursor: {
    en: 'belongs to another resource or sort order; keep the same sort, or start at the first page',
    de: 'Diese Position gehört zu einer anderen Ressource oder Sortierung; beginnen Sie mit der ersten Seite.',
  },
  no_history: {
    en: "'asOf' cannot be used: {resource} keeps no history.",
    de: '„asOf“ ist nicht möglich: {resource} hat keinen Verlauf.',
  },
  history_start: {
    en: 'must be {since} or later, where the history begins',
    de: 'Der Verlauf beginnt am {since}; geben Sie diesen oder einen späteren Zeitpunkt an.',
  },
  no_trash: {
    en: "'trash' cannot be used: {resource} has no trash.",
    de: '„trash“ ist nicht möglich: {resource} hat keinen Papierkorb.',
  },
  limit: { en: '{message}', de: 'Die Anfrage ist zu groß: {message}' },
  cost: { en: '{message}', de: 'Die Anfrage ist zu aufwendig: {message}' },
} as const satisfies Readonly<Record<string, Text>>
