export function seeded(seed: number): () => number;
export function sampleOf(source: string, random: () => number): { text: string; secret: string } | null;
