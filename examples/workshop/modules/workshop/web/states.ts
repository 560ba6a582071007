// The states of a repair in the order in which it goes through them.

export const states = [
  { name: 'received', title: { en: 'Received', de: 'Angenommen' } },
  { name: 'repairing', title: { en: 'In repair', de: 'In Arbeit' } },
  { name: 'ready', title: { en: 'Ready', de: 'Fertig' } },
] as const
