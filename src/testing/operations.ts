// The operations that fault rules and filters can name. A test compares them with the OpenAPI documents.

type Catalogue = "listPets" | "createPet" | "getPet";
type Pets = "findPets" | "addPet" | "countPets" | "readPet";
type PetChanges = "changePet" | "removePet" | "changePets";
type Files = "exportPets" | "importPets";
type Categories =
	| "listCategories"
	| "createCategory"
	| "setCategory"
	| "removeCategory";
type History = "listHistory" | "listPetHistory" | "restorePet" | "listChanges";
type Edits = "listEdits" | "readEdit" | "undoEdit";
type Keys = "listKeys" | "createKey" | "changeKey" | "revokeKey";
type Backups =
	| "createBackup"
	| "restoreBackup"
	| "listBackups"
	| "downloadBackup";
type Sessions = "signIn" | "readSession" | "signOut" | "readStatus";

/** An operation of `/v1` or `/operator/v1`. */
export type Operation =
	| (Catalogue | Pets | PetChanges | Files | Categories)
	| (History | Edits | Keys | Backups | Sessions);
