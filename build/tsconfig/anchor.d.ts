// Keeps a project whose folders are still empty from failing with "no inputs were found".
export {};
