// Creates what PocketBase needs for the comparison: the collection of animals, which signed-in users may read and add to, and a user.
migrate((app) => {
	const signedIn = '@request.auth.id != ""';
	app.save(
		new Collection({
			type: "base",
			name: "pets",
			listRule: signedIn,
			viewRule: signedIn,
			createRule: signedIn,
			fields: [
				{ type: "text", name: "name", required: true },
				{ type: "number", name: "categoryId", onlyInt: true },
				{
					type: "select",
					name: "status",
					values: ["available", "pending", "sold"],
				},
			],
			indexes: ["CREATE INDEX pets_by_status ON pets (status, id)"],
		}),
	);
	const user = new Record(app.findCollectionByNameOrId("users"));
	user.setEmail("client@example.com");
	user.setPassword("the password of the benchmark");
	app.save(user);
});
